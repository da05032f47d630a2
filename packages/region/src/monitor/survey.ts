import type { Phase, Server } from '../kinds/index.ts';
import { isProviderFailure, type CloudProvider, type Found, type ObservedServer } from '../provider/index.ts';
import { isExpected } from '../servers/index.ts';
import { credibilityOf, type Credibility } from './credibility.ts';

/** A server that the provider shows. */
export interface Seen {
  readonly server: Server;
  readonly observed: ObservedServer;
}

/** The findings of one pass about one region. */
export class Survey {
  readonly provider: Promise<CloudProvider>;
  readonly missing: Server[] = [];
  /** Servers that should exist, and that the provider could not be asked about. */
  readonly unasked: Server[] = [];
  /** Ids of servers that the provider has and the store does not. */
  readonly orphans: string[] = [];
  /** Number of observed servers, by flavor and phase. */
  readonly phases = new Map<string, Map<Phase, number>>();
  lastFailure: unknown;
  #expected = 0;
  #seen = 0;
  #answers = 0;
  #failures = 0;
  #reachable = true;

  constructor(provider: Promise<CloudProvider>) {
    this.provider = provider;
    // Later callers get the error. Until then it must not count as an unhandled rejection.
    provider.catch(() => undefined);
  }

  /** False once the provider cannot be reached: the rest of this pass makes no more calls. */
  get reachable(): boolean {
    return this.#reachable;
  }

  get seen(): number {
    return this.#seen;
  }

  get failures(): number {
    return this.#failures;
  }

  get credibility(): Credibility {
    return credibilityOf({
      expected: this.#expected,
      missing: this.missing.length,
      answers: this.#answers,
      failures: this.#failures,
      reachable: this.#reachable,
    });
  }

  /** Adds servers that the provider could not be asked about. */
  skip(servers: readonly Server[]): void {
    this.unasked.push(...servers.filter(isExpected));
  }

  fail(failure: unknown): void {
    this.#failures++;
    this.lastFailure = failure;
    if (isProviderFailure(failure, 'unavailable')) this.#reachable = false;
  }

  /**
   * Compares the servers of a principal with the provider's list, and returns those that were found. `servers` must be
   * read before the list, because a server that was created afterwards is not missing.
   */
  compare(
    servers: readonly Server[],
    found: readonly Found<ObservedServer>[],
    isKnown: (id: string) => boolean,
  ): readonly Seen[] {
    this.#answers++;
    const shown = new Map(found.map(({ id, presence }) => [id, presence.observed]));
    const seen: Seen[] = [];
    for (const server of servers) {
      const { name, deletionTimestamp } = server.metadata;
      const observed = shown.get(name);
      shown.delete(name);
      if (deletionTimestamp !== undefined) continue;
      if (isExpected(server)) this.#expected++;
      if (observed) seen.push({ server, observed });
      else if (isExpected(server)) this.missing.push(server);
    }
    this.orphans.push(...[...shown.keys()].filter((id) => !isKnown(id)));
    this.#seen += seen.length;
    return seen;
  }

  count(flavorId: string, phase: Phase): void {
    const phases = this.phases.get(flavorId) ?? new Map<Phase, number>();
    this.phases.set(flavorId, phases.set(phase, (phases.get(phase) ?? 0) + 1));
  }
}
