import { StillInProgress } from '../errors/index.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { annotations } from '../resource/index.ts';
import { Saga } from '../saga/kind.ts';
import type { Request } from './request.ts';

/** The purposes of ids that `madeBefore` knows. */
const object = 'object';
const saga = 'saga';

type Making = Pick<Request, 'newId' | 'isRepeated' | 'runtime'>;

/**
 * The id of the object that a request creates.
 *
 * @example const id = objectIdFor(request);
 */
export function objectIdFor(request: Pick<Request, 'newId'>): string {
  return request.newId(object);
}

/**
 * The id of the saga of a request. The store refuses to begin a saga twice, so two runs of a request cannot both create
 * something at the same time.
 *
 * @example await createNetwork(input, sagaIdFor(request));
 */
export function sagaIdFor(request: Pick<Request, 'newId'>): string {
  return request.newId(saga);
}

/**
 * The object that an earlier run of the request has created; undefined if there is none, so the request must create it.
 * An object whose id does not come from the key was created by this request only if its saga wrote it.
 *
 * @example const network = (await madeBefore(request, Network)) ?? (await create());
 */
export async function madeBefore<K extends Kind>(
  request: Making,
  kind: K,
  id?: string,
): Promise<Resource<K> | undefined> {
  if (!request.isRepeated) return undefined;
  const { store } = request.runtime;
  // The saga is read first. Once it has ended, what it made stays, and what it undid is gone or being deleted.
  if (await store.get(Saga, sagaIdFor(request))) throw new StillInProgress(unfinished);
  const made: Resource<K> | undefined = await store.get(kind, id ?? objectIdFor(request));
  const isOurs = id === undefined || made?.metadata.annotations?.[annotations.sagaId] === sagaIdFor(request);
  if (!made || !isOurs) return undefined;
  if (made.metadata.deletionTimestamp !== undefined) throw new StillInProgress(unfinished);
  return made;
}

const unfinished =
  'the first run of this request was interrupted, and is being completed or undone; try again in a moment';
