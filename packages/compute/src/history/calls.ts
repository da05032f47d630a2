import { defined } from '@unikorn/core/defined';
import type { OnBehalf } from '@unikorn/core/calls';
import { publicMessage, type History } from '@unikorn/core/history';
import type { RegionClient } from '@unikorn/region/client';

import { linkedInstance } from '../link/index.ts';

/** The client of region, which also records calls that change the server of an instance. */
export function recordedRegion(region: RegionClient, history: History): RegionClient {
  /** A server has the id of its instance. */
  const recorded = async <T>(
    id: string,
    { principal: { actor } }: OnBehalf,
    action: string,
    call: () => Promise<T>,
  ): Promise<T> => {
    const record = (outcome: string, message?: string) => {
      history.record(id, {
        type: 'call',
        action,
        outcome,
        ...defined({ actor, message }),
      });
    };
    try {
      const answer = await call();
      record('done');
      return answer;
    } catch (error) {
      record('failed', publicMessage(error));
      throw error;
    }
  };
  return {
    ...region,
    createServer: (on, body) => {
      const id = linkedInstance(body.metadata.tags);
      const create = () => region.createServer(on, body);
      return id === undefined ? create() : recorded(id, on, 'createServer', create);
    },
    updateServer: (on, id, body) => recorded(id, on, 'updateServer', () => region.updateServer(on, id, body)),
    deleteServer: (on, id) => recorded(id, on, 'deleteServer', () => region.deleteServer(on, id)),
    power: (on, id, verb) => recorded(id, on, verb, () => region.power(on, id, verb)),
    snapshot: (on, id, body) => recorded(id, on, 'snapshot', () => region.snapshot(on, id, body)),
  };
}
