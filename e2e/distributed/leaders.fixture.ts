import { readFileSync } from 'node:fs';

import { Lease } from '@unikorn/core/controller';
import type { Resource } from '@unikorn/core/kinds';
import type { Store } from '@unikorn/core/store';
import { systemWorld } from '@unikorn/core/world';

import type { Replica } from './platform.fixture.ts';

type LeaseSpec = Resource<typeof Lease>['spec'];

/** Follows all leases, and checks every change of a holder. */
export class LeaseWatch {
  readonly faults: string[] = [];
  readonly counts = { renewals: 0, releases: 0, takeovers: 0 };
  readonly #last = new Map<string, LeaseSpec>();
  readonly #end = new AbortController();
  readonly #running: Promise<void>;

  constructor(store: Store) {
    this.#running = this.#run(store);
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run(store: Store): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      try {
        const { items, resourceVersion: from } = await store.list(Lease);
        for (const lease of items) this.#see(lease);
        for await (const event of store.watch(Lease, { from, signal }))
          if (event.type !== 'bookmark') this.#see(event.object);
      } catch {
        // The API server is away, or has forgotten the changes since then.
        await systemWorld.sleep(500, signal);
      }
    }
  }

  /**
   * A lease changes its holder when it was released, or when it was not renewed for its whole duration. All processes
   * are on one machine, so their clocks agree.
   */
  #see({ metadata, spec: next }: Resource<typeof Lease>): void {
    const before = this.#last.get(metadata.name);
    this.#last.set(metadata.name, next);
    if (!before?.holderIdentity || before.holderIdentity === next.holderIdentity) this.counts.renewals++;
    else if (!next.holderIdentity) this.counts.releases++;
    else {
      this.counts.takeovers++;
      const seenAll = (next.leaseTransitions ?? 0) - (before.leaseTransitions ?? 0) === 1;
      const unrenewed_ms = Date.parse(next.acquireTime ?? '') - Date.parse(before.renewTime ?? '');
      if (seenAll && unrenewed_ms < (before.leaseDurationSeconds ?? 0) * 1_000)
        this.faults.push(
          `${next.holderIdentity} took the lease ${metadata.name} from ${before.holderIdentity} only ${unrenewed_ms} ms after its last renewal`,
        );
    }
  }
}

interface Reign {
  readonly lease: string;
  readonly replica: Replica;
  readonly from: number;
  readonly until: number;
}

/**
 * The times in which two processes worked as leaders of one part, according to their logs, without the times in which
 * one of them was frozen or dead. It is not a fault by itself: a leader that is told to stop may have to wait for a
 * call that is under way. Its further writes and calls are refused then.
 */
export function overlaps(replicas: readonly Replica[]): readonly string[] {
  const reigns = replicas.flatMap(reignsOf);
  return reigns.flatMap((one, index) =>
    reigns
      .slice(index + 1)
      .filter(({ lease, replica }) => lease === one.lease && replica !== one.replica)
      .flatMap((other) => {
        const from = Math.max(one.from, other.from, thawedAfter(one, other.from), thawedAfter(other, one.from));
        const length_ms = Math.min(one.until, other.until) - from;
        return length_ms > 0 ? [`${one.lease}: ${one.replica.name} and ${other.replica.name} for ${length_ms} ms`] : [];
      }),
  );
}

/** How many calls the processes did not make, because another process may have led. */
export function refusedCalls(replicas: readonly Replica[]): number {
  const refusal = 'a call was not made, because another process may lead now';
  return replicas.reduce((sum, { log }) => sum + readFileSync(log, 'utf8').split(refusal).length - 1, 0);
}

/** The end of the freeze in which the process was at this time. */
function thawedAfter({ replica }: Reign, time: number): number {
  return replica.freezes.find(({ from, until }) => from <= time && time < until)?.until ?? 0;
}

function reignsOf(replica: Replica): readonly Reign[] {
  const reigns: Reign[] = [];
  const open = new Map<string, number>();
  const end = (lease: string, until: number) => {
    const from = open.get(lease);
    open.delete(lease);
    if (from !== undefined) reigns.push({ lease, replica, from, until });
  };
  for (const line of readFileSync(replica.log, 'utf8').split('\n')) {
    if (!line.startsWith('{')) continue;
    const { time, lease, message } = JSON.parse(line) as { time: string; lease?: string; message: string };
    if (lease === undefined) continue;
    const at = Date.parse(time);
    if (message === 'leading') {
      end(lease, replica.lives.findLast(({ until }) => until <= at)?.until ?? at);
      open.set(lease, at);
    } else if (message === 'no longer leading') end(lease, at);
  }
  for (const [lease, from] of [...open])
    end(lease, replica.lives.find((life) => life.from <= from && from < life.until)?.until ?? Infinity);
  return reigns;
}
