export { Allocation, allocationIdOf, changeAnnotation } from './allocation.ts';
export { QuotaLedger, type PendingChange } from './ledger.ts';
