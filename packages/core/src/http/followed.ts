import { isProblem } from '../errors/index.ts';
import type { Kind } from '../kinds/index.ts';
import { waits } from '../limits.ts';
import type { Store } from '../store/index.ts';
import type { World } from '../world/index.ts';
import type { Request, ServerEvent } from './request.ts';

export interface FollowedAnswer {
  /** Checks the access of the request and computes the response. Throws `not_found` or `forbidden`. */
  readonly answer: (request: Request) => Promise<unknown>;
  /** The object whose changes cause a new response at once. */
  readonly watched?: { readonly kind: Kind; readonly name: string };
}

/**
 * Streams a response that depends on several objects: first `added` and `synced`, then `modified` when it has changed,
 * and `deleted` when it no longer exists, which ends the stream. The events have no position: every stream begins with
 * the whole response.
 */
export async function* followAnswer({ answer, watched }: FollowedAnswer, opened: Request): AsyncGenerator<ServerEvent> {
  const { signal } = opened;
  const { store, world } = opened.runtime;
  let request = opened;
  let shown: string | undefined;
  let authorizeAt = world.now() + waits.reauthorization_ms;
  let beatAt = world.now() + waits.heartbeat_ms;
  const isOver = () => signal.aborted || world.now() >= (request.caller.expiresAt ?? Number.POSITIVE_INFINITY);
  /** Checks the access of the caller, if it is time. */
  const isAllowed = async () => {
    if (world.now() < authorizeAt) return true;
    const renewed = await reauthorized(opened);
    if (renewed) request = renewed;
    authorizeAt = world.now() + waits.reauthorization_ms;
    return renewed !== undefined;
  };
  while (!isOver()) {
    if (!(await isAllowed())) return;
    const position = watched && (await store.list(watched.kind, { limit: 1, cached: true })).resourceVersion;
    const given = await answerOrGone(() => answer(request));
    if (given === gone) {
      if (shown !== undefined) yield { event: 'deleted', data: watched ? { metadata: { id: watched.name } } : {} };
      return;
    }
    const text = JSON.stringify(given);
    if (text !== shown) yield { event: shown === undefined ? 'added' : 'modified', data: given };
    if (shown === undefined) yield { event: 'synced', data: {} };
    else if (world.now() >= beatAt) yield { event: 'bookmark', data: {} };
    if (shown === undefined || world.now() >= beatAt) beatAt = world.now() + waits.heartbeat_ms;
    shown = text;
    const refreshAt = world.now() + waits.followedRefresh_ms;
    await world.sleep(waits.followedPause_ms, signal);
    for (let changed = false; !changed && !isOver() && world.now() < refreshAt;) {
      const wait_ms = Math.max(0, Math.min(refreshAt, authorizeAt) - world.now());
      changed = await changedWithin(wait_ms, { store, world, signal }, watched, position);
      if (!changed && !(await isAllowed())) return;
    }
  }
}

const gone = Symbol('gone');

async function answerOrGone(make: () => Promise<unknown>): Promise<unknown> {
  try {
    return await make();
  } catch (error) {
    if (isProblem(error, 'not_found') || isProblem(error, 'forbidden')) return gone;
    throw error;
  }
}

async function reauthorized(request: Request): Promise<Request | undefined> {
  try {
    return { ...request, ...(await request.reauthorize()) };
  } catch (error) {
    request.log.info({ error }, 'a stream was closed because its caller is no longer authorised');
    return undefined;
  }
}

interface Waiting {
  readonly store: Store;
  readonly world: World;
  readonly signal: AbortSignal;
}

/** Waits for a change of the watched object, and returns whether there was one in this time. */
async function changedWithin(
  wait_ms: number,
  { store, world, signal }: Waiting,
  watched: FollowedAnswer['watched'],
  from: string | undefined,
): Promise<boolean> {
  if (!watched || from === undefined) {
    await world.sleep(wait_ms, signal);
    return false;
  }
  const controller = new AbortController();
  const abort = () => {
    controller.abort();
  };
  const cancel = world.after(wait_ms, abort);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    for await (const { type } of store.watch(watched.kind, { name: watched.name, from, signal: controller.signal }))
      if (type !== 'bookmark') return true;
    return false;
  } catch (error) {
    // The store no longer has the changes since then. The next response is computed from the current state.
    if (!isProblem(error, 'expired')) throw error;
    return true;
  } finally {
    cancel();
    signal.removeEventListener('abort', abort);
    abort();
  }
}
