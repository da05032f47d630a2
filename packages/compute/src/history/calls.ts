import { defined } from '@unikorn/core/defined';
import type { OnBehalf } from '@unikorn/core/calls';
import type { RegionClient } from '@unikorn/region/client';

import { linkedInstance } from '../link/index.ts';
import { toldOf, type History } from './history.ts';

/** Region as before, except that everything which is done to the server of an instance is noted. */
export function recordedRegion(region: RegionClient, history: History): RegionClient {
  /** A server has the id of its instance. */
  const noted = async <T>(
    id: string,
    { principal: { actor } }: OnBehalf,
    action: string,
    call: () => Promise<T>,
  ): Promise<T> => {
    const note = (outcome: string, message?: string) => {
      history.record(id, {
        type: 'call',
        action,
        outcome,
        ...defined({ actor, message }),
      });
    };
    try {
      const answer = await call();
      note('done');
      return answer;
    } catch (error) {
      note('failed', toldOf(error));
      throw error;
    }
  };
  return {
    ...region,
    createServer: (on, body) => {
      const id = linkedInstance(body.metadata.tags);
      const create = () => region.createServer(on, body);
      return id === undefined ? create() : noted(id, on, 'createServer', create);
    },
    updateServer: (on, id, body) => noted(id, on, 'updateServer', () => region.updateServer(on, id, body)),
    deleteServer: (on, id) => noted(id, on, 'deleteServer', () => region.deleteServer(on, id)),
    power: (on, id, verb) => noted(id, on, verb, () => region.power(on, id, verb)),
    snapshot: (on, id, body) => noted(id, on, 'snapshot', () => region.snapshot(on, id, body)),
  };
}
