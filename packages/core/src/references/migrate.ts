import { defined } from '../defined.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { internalLimits, limits } from '../limits.ts';
import { foreignFinalizers } from '../resource/index.ts';
import { modify, type Store } from '../store/index.ts';
import { recordReference } from './hold.ts';

/**
 * Older versions stored references as finalizers of this form. Finalizers of operators have other groups, and are kept.
 */
const userFinalizer = /\.unikorn-cloud\.org\/./;

/**
 * Converts the references that older versions stored as finalizers of the used object to reference records. A reference
 * is stored before its finalizer is removed, so that an interrupted run can start again.
 */
export async function moveFinalizers(store: Store, kind: Kind): Promise<void> {
  let next: string | undefined;
  do {
    const page = await store.list(kind, { limit: limits.pageItems, ...defined({ continue: next }) });
    for (const object of page.items) await moveFinalizersOf(store, kind, object);
    next = page.continue;
  } while (next !== undefined);
}

async function moveFinalizersOf(store: Store, kind: Kind, { metadata }: Resource): Promise<void> {
  const users = foreignFinalizers(metadata).filter((finalizer) => userFinalizer.test(finalizer));
  if (users.length === 0) return;
  await inBatches(users, (reference) => recordReference(store, kind, metadata, { reference }));
  await modify(store, kind, metadata.name, (object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      finalizers: (object.metadata.finalizers ?? []).filter((finalizer) => !users.includes(finalizer)),
    },
  }));
}

/** Calls a function for each item, many at a time. */
export async function inBatches<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < items.length; first += internalLimits.migrationBatch)
    await Promise.all(items.slice(first, first + internalLimits.migrationBatch).map(work));
}
