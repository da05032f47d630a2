import { Problem } from '../errors/index.ts';
import { kindWords, type Kind } from '../kinds/index.ts';
import { matching, type Store } from '../store/index.ts';

/** Where only so many objects of a kind may be. */
interface Place {
  readonly kind: Kind;
  /** The label that says where an object is, and what it says of those in this place. */
  readonly label: string;
  readonly id: string;
  /** The name of the container in messages, such as `organization`. */
  readonly where: string;
  readonly most: number;
}

/**
 * Refuses one more object in a place that has as many as it may have. Those that are being created at the same moment
 * are not seen, so it can end up with a few more.
 */
export async function demandRoom(
  store: Pick<Store, 'countUpTo'>,
  { kind, label, id, where, most }: Place,
): Promise<void> {
  if ((await store.countUpTo(kind, matching({ [label]: id }), most)) >= most)
    throw noRoom({ words: kindWords(kind), where, id, most });
}

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
