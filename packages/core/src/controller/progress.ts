import type { Metadata } from '../kinds/index.ts';
import { compareVersions } from '../store/index.ts';
import { observes, type Managed } from './reconcile.ts';

/** How one run of the reconciler ended. */
export interface Verdict {
  readonly outcome:
    'done' | 'yielded' | 'parked' | 'errored' | 'raced' | 'cancelled' | 'paused' | 'released' | 'complete' | 'gone';
  /** When to look again without being woken. */
  readonly after_ms?: number;
}

/** The data that a controller keeps about an object between two reconciles. */
export class Progress {
  /** Attempts that failed in a row, on the present generation. */
  failures = 0;
  /** Races lost in a row. */
  races = 0;
  #generation: number | undefined;
  #trust: { readonly from: string } | 'nothing' | 'anything' = 'anything';

  /** A new generation is a new start; after a restart the stored count goes on. */
  meet(object: Managed): void {
    if (this.#generation === object.metadata.generation) return;
    this.#generation = object.metadata.generation;
    this.failures = observes(object) ? (object.status?.retry?.attempts ?? 0) : 0;
  }

  /** The controller wrote or read this version: nothing older may be acted upon. */
  knows(metadata: Metadata): void {
    this.#trust = { from: metadata.resourceVersion };
  }

  /** The world has moved on in a way that the cache may not show yet. */
  distrustCache(): void {
    this.#trust = 'nothing';
  }

  /** Whether what the cache holds may be acted upon. */
  trusts(cached: Managed | undefined): boolean {
    if (this.#trust === 'anything') return true;
    if (this.#trust === 'nothing' || !cached || compareVersions(cached.metadata.resourceVersion, this.#trust.from) < 0)
      return false;
    this.#trust = 'anything';
    return true;
  }
}

/** The progress of every object of a controller, and how many stand where an operator should look. */
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
