import { defined } from '@unikorn/core/defined';
import type { OnBehalf } from '@unikorn/core/calls';
import { publicMessage, type History } from '@unikorn/core/history';
import type { RegionClient } from '@unikorn/region/client';

import { linkedInstance } from '../link/index.ts';

/** The client of region, which also records calls that change the server of an instance. */
export function recordedRegion(regionClient: RegionClient, history: History): RegionClient {
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
    ...regionClient,
    createServer: (on, body) => {
      const id = linkedInstance(body.metadata.tags);
      const create = () => regionClient.createServer(on, body);
      return id === undefined ? create() : recorded(id, on, 'createServer', create);
    },
    updateServer: (on, id, body) => recorded(id, on, 'updateServer', () => regionClient.updateServer(on, id, body)),
    deleteServer: (on, id) => recorded(id, on, 'deleteServer', () => regionClient.deleteServer(on, id)),
    power: (on, id, verb) => recorded(id, on, verb, () => regionClient.power(on, id, verb)),
    snapshot: (on, id, body, key) => recorded(id, on, 'snapshot', () => regionClient.snapshot(on, id, body, key)),
  };
}
