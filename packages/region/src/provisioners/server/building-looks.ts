import type { World } from '@unikorn/core/world';

import { waits } from '../../limits.ts';
import {
  type Ensured,
  type IdentityReference,
  type ObservedServer,
  type Presence,
  type ServerReference,
  type Servers,
} from '../../provider/index.ts';

interface Listed {
  readonly from_ms: number;
  readonly shown: Promise<ReadonlyMap<string, Ensured<ObservedServer>>>;
}

/**
 * Looks at servers that are being built. Each of them is looked at once a second, so many of one principal are looked
 * at together: by one list a second, and not by one call for each. Only what a list shows is taken from it. A server
 * that it does not show, or that something was done to since, is asked for itself: the list may be older than that.
 */
export class BuildingLooks {
  readonly #world: World;
  /** By principal. */
  readonly #lists = new Map<string, Listed>();
  /** When something was last done to a server; kept for as long as a list may be older. */
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

  /** Something is done to a server: what was listed of it before is not used any more. */
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
    // Those who wait for it are told of the failure. The next one who looks asks again.
    shown.catch(() => {
      if (this.#lists.get(identity.id) === listed) this.#lists.delete(identity.id);
    });
    return listed;
  }

  /** Both maps are in the order of time, so that the first young entry ends the search. */
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
