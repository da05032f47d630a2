export { withParts } from './checks.ts';
export { leaseMigration, type LeaseMigration } from './lease-migration.ts';
export {
  leasedPart,
  leaseOf,
  sharedPart,
  type LeasedPart,
  type Part,
  type PartContext,
  type PartName,
  type SharedPart,
} from './part.ts';
export { runParts, type PartsProcess } from './run.ts';
