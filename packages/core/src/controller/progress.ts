import type { Metadata } from '../kinds/index.ts';
import { compareVersions } from '../store/index.ts';
import { observes, type Managed } from './reconcile.ts';

/** How one run of the reconciler ended. */
export interface Verdict {
  readonly outcome:
    'done' | 'yielded' | 'parked' | 'errored' | 'raced' | 'cancelled' | 'paused' | 'released' | 'complete' | 'gone';
  /** When to reconcile again if no event comes earlier. */
  readonly after_ms?: number;
}

/** The data that a controller keeps about an object between two reconciles. */
export class Progress {
  /** Attempts that failed in a row, on the present generation. */
  failures = 0;
  /** Lost write races in a row. */
  races = 0;
  #generation: number | undefined;
  #trust: { readonly from: string } | 'nothing' | 'anything' = 'anything';

  /** A new generation starts at zero. After a restart of the process the stored count continues. */
  meet(object: Managed): void {
    if (this.#generation === object.metadata.generation) return;
    this.#generation = object.metadata.generation;
    this.failures = observes(object) ? (object.status?.retry?.attempts ?? 0) : 0;
  }

  /** The controller wrote or read this version, so it must not act on an older one. */
  knows(metadata: Metadata): void {
    this.#trust = { from: metadata.resourceVersion };
  }

  /** An external change happened that the cache may not show yet. */
  distrustCache(): void {
    this.#trust = 'nothing';
  }

  /**
   * Whether only the store itself can tell the state: after a lost race, or an error. Otherwise a read that contains
   * the writes of this process is enough.
   */
  get needsStore(): boolean {
    return this.#trust === 'nothing';
  }

  /** Whether the controller may act on the cached object. */
  trusts(cached: Managed | undefined): boolean {
    if (this.#trust === 'anything') return true;
    if (this.#trust === 'nothing' || !cached || compareVersions(cached.metadata.resourceVersion, this.#trust.from) < 0)
      return false;
    this.#trust = 'anything';
    return true;
  }
}

/** The progress of every object of a controller, with counts of the objects that an operator should look at. */
export class ProgressLedger {
  readonly #entries = new Map<string, Progress>();
  readonly retrying = new Set<string>();
  readonly parked = new Set<string>();

  of(name: string): Progress {
    const existing = this.#entries.get(name);
    if (existing) return existing;
    const created = new Progress();
    this.#entries.set(name, created);
    return created;
  }

  record(name: string, { outcome }: Verdict): void {
    const progress = this.of(name);
    member(this.parked, name, outcome === 'parked');
    member(this.retrying, name, progress.failures > 0);
  }

  forget(name: string): void {
    this.#entries.delete(name);
    this.parked.delete(name);
    this.retrying.delete(name);
  }
}

function member(set: Set<string>, name: string, belongs: boolean): void {
  if (belongs) set.add(name);
  else set.delete(name);
}
