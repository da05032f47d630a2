import { related, type Related } from '@unikorn/core/controller';
import type { Kind } from '@unikorn/core/kinds';
import { findCondition } from '@unikorn/core/resource';

import { serverUses } from '../graph/index.ts';
import { Server } from '../kinds/index.ts';

/**
 * If a resource that a server needs is missing in its cloud, the controllers of the resources that it uses are woken,
 * to create the missing one again.
 */
export function missedByServers(kind: Kind): Related {
  return related(Server, (server) =>
    misses(server) ? serverUses(server).flatMap((use) => (use.kind === kind.id ? [use.id] : [])) : [],
  );
}

function misses({ status }: Pick<Server, 'status'>): boolean {
  return findCondition(status?.conditions, 'Available')?.reason === 'DependencyFailed';
}
