import { Problem } from '../errors/index.ts';
import { kindWords, type Kind } from '../kinds/index.ts';
import { matching, type Store } from '../store/index.ts';

/** A container with a limited number of objects of a kind. */
interface Place {
  readonly kind: Kind;
  /** The label that names the container of an object, and its value for this one. */
  readonly label: string;
  readonly id: string;
  /** The name of the container in messages, such as `organization`. */
  readonly where: string;
  readonly most: number;
}

/**
 * Refuses one more object when the container is full. Objects that are created at the same time are not counted, so a
 * few more are possible.
 *
 * @example await demandRoom(store, { kind: SecurityGroup, label: labels.network, id: networkId, where: 'network', most: 256 });
 */
export async function demandRoom(
  store: Pick<Store, 'countUpTo'>,
  { kind, label, id, where, most }: Place,
): Promise<void> {
  if ((await store.countUpTo(kind, matching({ [label]: id }), most, { cached: true })) >= most)
    throw noRoom({ words: kindWords(kind), where, id, most });
}

/** @example throw noRoom({ words: 'image', where: 'organization', id: organizationId, most: 256 }); */
export function noRoom({
  words,
  where,
  id,
  most,
}: {
  readonly words: string;
  readonly where: string;
  readonly id: string;
  readonly most: number;
}): Problem {
  return new Problem(
    'quota_exceeded',
    `${where} ${id} has reached its limit of ${most} for the kind ${words}: delete one that is no longer needed, or ask the platform operator for a higher limit`,
  );
}
