import { related, type Related } from '@unikorn/core/controller';
import type { Kind } from '@unikorn/core/kinds';
import { findCondition } from '@unikorn/core/resource';

import { serverUses } from '../graph/index.ts';
import { Server } from '../kinds/index.ts';

/**
 * A server that misses something in its cloud wakes what it uses: one of those may have vanished there, and can be made
 * again.
 */
export function missedByServers(kind: Kind): Related {
  return related(Server, (server) =>
    misses(server) ? serverUses(server).flatMap((use) => (use.kind === kind.id ? [use.id] : [])) : [],
  );
}

function misses({ status }: Pick<Server, 'status'>): boolean {
  return findCondition(status?.conditions, 'Available')?.reason === 'DependencyFailed';
}
