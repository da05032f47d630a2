import { defined } from '../defined.ts';
import { kindWords, type Kind, type Metadata, type Resource } from '../kinds/index.ts';
import { labels } from '../resource/index.ts';
import { modify, type DeleteOptions, type Store } from '../store/index.ts';
import { deletionMarkOf, withDeletionMark, type DeletionMark } from './closing.ts';

/**
 * The cause that is recorded on every object that is deleted with `owner`: the caller, and the object that the caller
 * deleted.
 *
 * @example await deleteAlong(store, Project, project.metadata, causeFrom(Organization, organization));
 */
export function causeFrom(kind: Kind, owner: Pick<Resource, 'metadata'>): DeletionMark | undefined {
  const mark = deletionMarkOf(owner);
  if (!mark) return undefined;
  const { by, at, root = `${kindWords(kind)} ${owner.metadata.labels?.[labels.name] ?? owner.metadata.name}` } = mark;
  return { at, root, ...defined({ by }) };
}

/**
 * Records the cause on an object and deletes it, as part of another deletion.
 *
 * @example await deleteAlong(store, Project, project.metadata, causeFrom(Organization, organization));
 */
export async function deleteAlong(
  store: Store,
  kind: Kind,
  { name, uid }: Pick<Metadata, 'name' | 'uid'>,
  cause: DeletionMark | undefined,
  { propagation }: Pick<DeleteOptions, 'propagation'> = {},
): Promise<void> {
  if (cause) {
    await modify(store, kind, name, (current) => {
      const { metadata, spec } = current;
      return metadata.uid !== uid ||
        metadata.deletionTimestamp !== undefined ||
        deletionMarkOf(current)?.at === cause.at
        ? undefined
        : { metadata: withDeletionMark(metadata, cause), spec };
    });
  }
  await store.delete(kind, name, { ...defined({ propagation }), preconditions: { uid } });
}

/** The cause in a sentence, for users who ask why an object was deleted. */
export function causeInWords({ by, root }: DeletionMark): string {
  return `deleted${root === undefined ? '' : ` because ${root} was deleted`}${by === undefined ? '' : ` by ${by}`}`;
}
