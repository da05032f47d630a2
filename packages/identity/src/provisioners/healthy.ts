import type { DomainCondition } from '@unikorn/core/controller';

/** Resources that are only stored are always healthy. */
export const healthy: DomainCondition = { type: 'Healthy', status: 'True', reason: 'Healthy', message: '' };
