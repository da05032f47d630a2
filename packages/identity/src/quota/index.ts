export { requireKnownKinds, type Amount, type AmountEntry } from './amounts.ts';
export type { Charge, ProjectScope } from './allocation.ts';
export { isQuotaKind, quotaCatalogue, quotaKinds, type QuotaKind } from './catalogue.ts';
export type { LedgerOptions } from './context.ts';
export { Ledger } from './ledger.ts';
export { requireOpenProject, requireProject } from './project.ts';
export { limitsVersion, readQuotas, setLimits, type Quota } from './standing.ts';
export { LedgerSweeper } from './sweeper.ts';
