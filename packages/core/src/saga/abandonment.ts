import { limits } from '../limits.ts';
import type { Store } from '../store/index.ts';
import type { World } from '../world/index.ts';
import type { SagaRecord } from './kind.ts';

interface Observation {
  readonly version: string;
  readonly since_ms: number;
}

interface AbandonmentOptions {
  readonly store: Store;
  readonly world: World;
  readonly processName: string;
}

/**
 * Finds the sagas whose process has ended. Clocks of different machines are never compared: a record counts as
 * abandoned once this process has seen it unchanged for a whole lease. If no other process can use the store, any other
 * holder has ended.
 */
export class Abandonment {
  readonly #options: AbandonmentOptions;
  #observations: ReadonlyMap<string, Observation> = new Map();

  constructor(options: AbandonmentOptions) {
    this.#options = options;
  }

  /** The abandoned ones of the current records. Records that are not passed are forgotten. */
  among(records: readonly SagaRecord[]): readonly SagaRecord[] {
    const now_ms = this.#options.world.monotonic_ms();
    this.#observations = new Map(
      records.map(({ metadata }) => [metadata.name, this.#seen(metadata.name, metadata.resourceVersion, now_ms)]),
    );
    return records.filter(
      ({ metadata, spec }) =>
        this.#holderIsGone(spec.holder) ||
        now_ms - (this.#observations.get(metadata.name)?.since_ms ?? now_ms) >= limits.lease_ms,
    );
  }

  #seen(name: string, version: string, now_ms: number): Observation {
    const known = this.#observations.get(name);
    return known?.version === version ? known : { version, since_ms: now_ms };
  }

  #holderIsGone(holder: string): boolean {
    const { store, processName } = this.#options;
    return store.sole && holder !== processName;
  }
}
