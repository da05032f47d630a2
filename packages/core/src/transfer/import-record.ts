import { Problem } from '../errors/index.ts';
import { MigrationRecord } from '../migration/index.ts';
import type { Store, StoredObject } from '../store/index.ts';

/** The record of an import that has begun and is not complete. */
export const importRecord = 'core-import';

export function isImportRecord({ kind, object }: StoredObject): boolean {
  return kind.id === MigrationRecord.id && object.metadata.name === importRecord;
}

/** Throws if an import into this store was interrupted: some objects are missing. */
export async function assertImported(store: Store): Promise<void> {
  if (await store.get(MigrationRecord, importRecord))
    throw new Problem(
      'storage_unusable',
      'an import into this store is not complete: run the same migrate or restore command again',
    );
}
