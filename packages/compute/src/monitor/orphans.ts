import { defined } from '@unikorn/core/defined';
import { limits as coreLimits } from '@unikorn/core/limits';
import { matching, type Store } from '@unikorn/core/store';
import type { RegionClient } from '@unikorn/region/client';

import { ComputeInstance, GoneInstance, historyLabels } from '../kinds/index.ts';
import { linkedInstance } from '../link/index.ts';

export interface OrphanDeps {
  readonly store: Store;
  readonly regionClient: Pick<RegionClient, 'server' | 'deleteServer'>;
}

/** A server that names an instance that does not exist. */
export interface Orphan {
  readonly serverId: string;
  readonly instanceId: string;
}

/** With compute's own permissions, without a principal. */
const on = { principal: {}, impersonate: false };

/**
 * Deletes a server that was created after its instance was deleted: a process that was stopped for a while made the
 * request for it too late. The history proves the deletion. A missing instance alone is no proof: after the restore of
 * an older backup, instances are missing whose machines are in use. Such a server is only reported.
 */
export async function removeOrphan(deps: OrphanDeps, { serverId, instanceId }: Orphan): Promise<'removed' | 'kept'> {
  const { store, regionClient } = deps;
  const server = await regionClient.server(on, serverId);
  if (!server || server.metadata.deletionTime !== undefined) return 'kept';
  if (linkedInstance(server.metadata.tags) !== instanceId) return 'kept';
  if (Date.parse(server.metadata.creationTime) <= (await lastDeletion(store, instanceId))) return 'kept';
  if (await store.get(ComputeInstance, instanceId)) return 'kept';
  await regionClient.deleteServer(on, serverId);
  return 'removed';
}

/** When the last instance with this id was deleted; Infinity if that is not known. */
async function lastDeletion(store: Store, instanceId: string): Promise<number> {
  const selector = matching({ [historyLabels.subject]: instanceId });
  const times: number[] = [];
  let next: string | undefined;
  do {
    const page = await store.list(GoneInstance, {
      selector,
      limit: coreLimits.pageItems,
      ...defined({ continue: next }),
    });
    times.push(...page.items.map(({ spec }) => Date.parse(spec.deletedAt)));
    next = page.continue;
  } while (next !== undefined);
  return times.length === 0 ? Infinity : Math.max(...times);
}
