export { derivedKey } from './derived-key.ts';
export type { SealedField } from './fields.ts';
export { sealingMigration } from './migration.ts';
export { hasEarlierKey, rekey, resealingOf, type Resealing } from './rekey.ts';
export { sealedStore } from './sealed-store.ts';
export { TextSealer } from './text-sealer.ts';
