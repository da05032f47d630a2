import { Problem } from '../errors/index.ts';
import type { Kind } from '../kinds/index.ts';
import { internalLimits } from '../limits.ts';
import { MigrationRecord } from '../migration/index.ts';
import type { AdoptingStore, Store, StoredObject } from '../store/index.ts';
import { importRecord } from './import-record.ts';
import { storeSource, type ObjectSource, type Wanted } from './source.ts';
import { survey, textOf, type Survey } from './survey.ts';

/** How far a transfer is. */
export interface Progress {
  readonly step: 'read' | 'write' | 'compare';
  readonly done: number;
  /** Not known while the source is read for the first time. */
  readonly total?: number;
}

export interface TransferOptions {
  readonly source: ObjectSource;
  readonly target: Store & AdoptingStore;
  readonly kinds: readonly Kind[];
  readonly wanted?: Wanted;
  readonly progress?: (progress: Progress) => void;
}

/**
 * Copies all objects to an empty store, with their uids, times and generations, and compares the copy with the source.
 * An interrupted transfer is continued by the same call. Until it is complete, the target cannot be used.
 *
 * @example const { total, digest } = await transfer({ source: storeSource(from, kinds), target, kinds });
 */
export async function transfer(options: TransferOptions): Promise<Survey> {
  const { source, target, progress } = options;
  const found = await survey(source, (done) => progress?.({ step: 'read', done }));
  await assertTarget(options, found.digest);
  await begin(target, found.digest);
  let done = 0;
  const written = () => progress?.({ step: 'write', done: ++done, total: found.total });
  for (let depth = 0; depth <= found.depth; depth++)
    await forEach(
      source,
      (stored) => found.depthOf(stored) === depth,
      async ({ kind, object }) => {
        await target.adopt(kind, object);
        written();
      },
    );
  await forEach(
    source,
    ({ object }) => object.metadata.deletionTimestamp !== undefined,
    ({ kind, object }) => target.adoptDeletion(kind, object),
  );
  await compare(options, found);
  await target.delete(MigrationRecord, importRecord);
  return found;
}

/** Throws unless the target is empty, or an interrupted transfer of the same objects. */
export async function assertTarget(
  { target, kinds, wanted }: Pick<TransferOptions, 'target' | 'kinds' | 'wanted'>,
  digest: string,
): Promise<void> {
  const record = await target.get(MigrationRecord, importRecord);
  if (record?.spec.importing === digest) return;
  for await (const { kind, object } of storeSource(target, kinds, wanted).objects())
    throw new Problem(
      'conflict',
      record
        ? 'the target has a part of another state: an import of it was interrupted. Complete that import, or remove its objects'
        : `the target is not empty: it has the ${kind.kind} ${object.metadata.name}. Choose an empty target`,
    );
  if (record) await target.delete(MigrationRecord, importRecord);
}

async function begin(target: Store, digest: string): Promise<void> {
  if (await target.get(MigrationRecord, importRecord)) return;
  await target.create(MigrationRecord, {
    metadata: { name: importRecord },
    spec: { finishedAt: '', importing: digest },
  });
}

/** Works on some objects at a time. */
async function forEach(
  source: ObjectSource,
  wanted: Wanted,
  work: (stored: StoredObject) => Promise<void>,
): Promise<void> {
  let batch: StoredObject[] = [];
  for await (const stored of source.objects()) {
    if (!wanted(stored)) continue;
    batch.push(stored);
    if (batch.length < internalLimits.transferBatch) continue;
    await Promise.all(batch.map(work));
    batch = [];
  }
  await Promise.all(batch.map(work));
}

/** Reads both sides again, object by object. A change of the source during the transfer is found here, too. */
async function compare({ source, target, kinds, wanted, progress }: TransferOptions, found: Survey): Promise<void> {
  const copies = storeSource(target, kinds, wanted).objects()[Symbol.asyncIterator]();
  let done = 0;
  for await (const stored of source.objects()) {
    const copy = await copies.next();
    if (copy.done === true || textOf(copy.value) !== textOf(stored)) throw different(stored);
    progress?.({ step: 'compare', done: ++done, total: found.total });
  }
  const more = await copies.next();
  if (more.done !== true) throw different(more.value);
  const again = await survey(source);
  if (again.digest !== found.digest)
    throw new Problem('conflict', 'the source has changed during the transfer: stop all processes that use it');
}

function different({ kind, object }: StoredObject): Problem {
  return new Problem(
    'server_error',
    `${kind.kind} ${object.metadata.name} is not the same in the source and the target: stop all processes that use them, and run the command again`,
  );
}
