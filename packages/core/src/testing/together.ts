import type { Kind } from '../kinds/index.ts';
import type { Around } from './interpose.ts';

/**
 * Holds updates of a kind back until this many are in progress, so that all of them have read the same version. Updates
 * of controllers count too.
 */
export function together(kind: Kind, parties: number): Around {
  let arrived = 0;
  const all = Promise.withResolvers<undefined>();
  return async (call, happen) => {
    if (call.verb === 'update' && call.kind.id === kind.id) {
      if (++arrived === parties) all.resolve(undefined);
      await all.promise;
    }
    return happen();
  };
}
