import type { World } from '@unikorn/core/world';

import type { Server } from '../../kinds/index.ts';
import { waits } from '../../limits.ts';
import {
  type Ensured,
  type IdentityReference,
  type ObservedServer,
  type Presence,
  type ServerReference,
  type Servers,
} from '../../provider/index.ts';

/**
 * Whether its provider builds it for the first time, or rebuilds its disk. A rebuild that is only intended does not
 * count: before it is requested, the server is read by itself. A server that is switched on or off does not count
 * either: another process may have requested that, so this process cannot tell whether its list is older.
 */
export function isBuilding(status: Server['status']): boolean {
  if (status?.rebuild !== undefined) return status.rebuild.state === 'Rebuilding';
  return status?.provisionedAt === undefined && (status?.phase === 'Queued' || status?.phase === 'Building');
}

interface Listed {
  readonly from_ms: number;
  readonly shown: Promise<ReadonlyMap<string, Ensured<ObservedServer>>>;
}

/**
 * Observes servers that are being built or rebuilt. Several of one principal are observed together: with one list every
 * two seconds, however many they are, instead of one call for each. If the list does not show a server, or the server
 * was changed since, it is read by itself, because the list may be outdated.
 */
export class BuildingLooks {
  readonly #world: World;
  /** Lists by principal. */
  readonly #lists = new Map<string, Listed>();
  /** When a server was last changed. Entries are kept as long as a list may be older. */
  readonly #changes = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  /** `together` is how many servers of the principal are being built. */
  async observe(
    servers: Servers,
    identity: IdentityReference,
    server: ServerReference,
    together: number,
  ): Promise<Presence<ObservedServer>> {
    if (together < 2) return servers.observe(identity, server);
    const { from_ms, shown } = this.#list(servers, identity);
    const presence = (await shown).get(server.id);
    const isOlder = from_ms <= (this.#changes.get(server.id) ?? -Infinity);
    return presence === undefined || isOlder ? servers.observe(identity, server) : presence;
  }

  /** A server is being changed: its entry in an earlier list is not used any more. */
  changed({ id }: ServerReference): void {
    this.#changes.delete(id);
    this.#changes.set(id, this.#world.monotonic_ms());
  }

  #list(servers: Servers, identity: IdentityReference): Listed {
    this.#prune();
    const known = this.#lists.get(identity.id);
    if (known) return known;
    const shown = servers.list(identity).then((found) => new Map(found.map(({ id, presence }) => [id, presence])));
    const listed = { from_ms: this.#world.monotonic_ms(), shown };
    this.#lists.set(identity.id, listed);
    // Waiting callers get the error. The next caller reads again.
    shown.catch(() => {
      if (this.#lists.get(identity.id) === listed) this.#lists.delete(identity.id);
    });
    return listed;
  }

  /** Both maps are ordered by time, so the search ends at the first recent entry. */
  #prune(): void {
    const oldest_ms = this.#world.monotonic_ms() - waits.buildingList_ms;
    for (const [principal, { from_ms }] of this.#lists) {
      if (from_ms > oldest_ms) break;
      this.#lists.delete(principal);
    }
    for (const [server, at_ms] of this.#changes) {
      if (at_ms > oldest_ms - waits.buildingList_ms) break;
      this.#changes.delete(server);
    }
  }
}
