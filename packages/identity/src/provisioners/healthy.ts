import type { DomainCondition } from '@unikorn/core/controller';

/** What is only stored cannot fail. */
export const healthy: DomainCondition = { type: 'Healthy', status: 'True', reason: 'Healthy', message: '' };
