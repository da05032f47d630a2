import type { Kind } from '@unikorn/core/kinds';
import { identityKinds } from '@unikorn/identity';

import { ComputeInstance } from '../kinds/index.ts';

export const allocations = identityKinds.filter(({ kind }) => kind === 'Allocation');
export const ledgers = identityKinds.filter(({ kind }) => kind === 'QuotaLedger');

/** What it takes to store an instance and what it costs, and nothing else, because it is opened many times. */
export const chargedKinds: readonly Kind[] = [ComputeInstance, ...allocations, ...ledgers, ...identityKinds.filter(({ kind }) => ['Organization', 'Project'].includes(kind))];
