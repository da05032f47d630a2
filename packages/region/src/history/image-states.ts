import { toError } from '@unikorn/core/errors';
import type { History } from '@unikorn/core/history';
import { defined } from '@unikorn/core/defined';
import type { Resource } from '@unikorn/core/kinds';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';

import { limits, waits } from '../limits.ts';
import type { ImageObserver } from '../regions/index.ts';
import { imageObject } from './image-objects.ts';

type FinalState = 'ready' | 'failed';

const messages: Readonly<Record<FinalState, string | undefined>> = {
  ready: undefined,
  failed: 'the cloud could not fetch or copy its data',
};

const action = 'state';

/**
 * Records when an image becomes ready or fails. The cloud is not asked for this: the catalogue is read for requests
 * anyway. So the entry has the time at which the platform noticed it.
 */
export function imageStateRecorder(
  history: History,
  { world, telemetry }: { readonly world: World; readonly telemetry: Pick<Telemetry, 'log'> },
): ImageObserver {
  /** The uids of new images that need no further look, the oldest first. */
  const done = new Set<string>();
  const observe = async (object: Resource, state: FinalState) => {
    const { uid } = object.metadata;
    done.add(uid);
    const [oldest] = done;
    if (done.size > limits.newImages && oldest !== undefined) done.delete(oldest);
    // The creation comes first. If it is not stored yet, the next look records the state.
    if (!(await recordState(history, object, state))) done.delete(uid);
  };
  return (regionId, images) => {
    for (const image of images) {
      const { organizationId, state, createdAt } = image;
      if (organizationId === undefined || (state !== 'ready' && state !== 'failed')) continue;
      if (world.now() - Date.parse(createdAt) > waits.imageArrival_ms) continue;
      const object = imageObject(image, { organizationId, regionId });
      const { name, uid } = object.metadata;
      if (done.has(uid)) continue;
      observe(object, state).catch((error: unknown) => {
        done.delete(uid);
        telemetry.log.error({ err: toError(error), id: name }, 'the state of an image could not be recorded');
      });
    }
  };
}

/** Records a state unless another process has done so. Returns false if the image has no history yet. */
async function recordState(history: History, object: Resource, state: FinalState): Promise<boolean> {
  const { name: id, uid } = object.metadata;
  if (!(await history.owner(id))) return false;
  const own = (await history.read(id, {})).entries.filter((entry) => entry.uid === uid);
  // The catalogue can still show an image that was deleted a moment ago.
  const isGone = own.some((entry) => entry.action === 'deletion');
  if (isGone || own.findLast((entry) => entry.action === action)?.outcome === state) return true;
  const message = messages[state];
  await history.commit(id, { type: 'transition', action, outcome: state, ...defined({ message }) }, object);
  return true;
}
