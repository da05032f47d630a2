import { isProblem, StillInProgress, type Problem } from '../errors/index.ts';
import { limits } from '../limits.ts';
import { randomId } from '../resource/index.ts';
import type { Store } from '../store/index.ts';
import { preciseTimestamp, type Cancel, type World } from '../world/index.ts';
import { Saga, sagaLabel, type SagaRecord, type SagaStatus } from './kind.ts';

/** The saga belongs to another process now: this process must not do anything more for it. */
export class HoldLost extends Error {
  override readonly name = 'HoldLost';
}

interface Surroundings {
  readonly store: Store;
  readonly world: World;
}

const renewEvery_ms = limits.lease_ms / 3;

/** This process treats its lease as expired a third early, so that an effect that was started in time can complete. */
const trusted_ms = (limits.lease_ms * 2) / 3;

/**
 * One saga that this process holds. Its record can only be written through this class.
 *
 * Every write compares and swaps the record, and a takeover changes it, so a process that has lost the saga finds out
 * with its next write. Between writes the lease decides: other processes do not touch the record until they have seen
 * it unchanged for a whole lease, and `ensure` refuses to continue when that could have happened. One case remains: an
 * effect that was started in time and arrives after the lease has expired, because the process or the network was
 * stopped in between. No log can prevent that. It is harmless, because steps can be repeated, and undos only affect
 * objects with the id of their saga.
 */
export class Holding {
  readonly #store: Store;
  readonly #world: World;
  #record: SagaRecord;
  #renewed_ms: number;
  #lost = false;
  #turn: Promise<void> = Promise.resolve();
  #cancelRenewal: Cancel;

  private constructor({ store, world }: Surroundings, record: SagaRecord, written_ms: number) {
    this.#store = store;
    this.#world = world;
    this.#record = record;
    this.#renewed_ms = written_ms;
    this.#cancelRenewal = this.#scheduleRenewal();
  }

  /** The first of the two writes of a saga. */
  static async begin(
    surroundings: Surroundings,
    saga: string,
    input: Readonly<Record<string, unknown>>,
    { holder, id = randomId(surroundings.world) }: { readonly holder: string; readonly id?: string | undefined },
  ): Promise<Holding> {
    const { store, world } = surroundings;
    const written_ms = world.monotonic_ms();
    const metadata = { name: id, labels: { [sagaLabel]: saga } };
    try {
      const record = await store.create(Saga, { metadata, spec: { saga, input, holder, term: 1 } });
      return new Holding(surroundings, record, written_ms);
    } catch (error) {
      throw isProblem(error, 'conflict') ? alreadyRunning(error) : error;
    }
  }

  /** Undefined if another process was faster. */
  static async takeOver(
    surroundings: Surroundings,
    { metadata, spec }: SagaRecord,
    holder: string,
  ): Promise<Holding | undefined> {
    const { store, world } = surroundings;
    const written_ms = world.monotonic_ms();
    try {
      return new Holding(
        surroundings,
        await store.update(Saga, { metadata, spec: { ...spec, holder, term: spec.term + 1 } }),
        written_ms,
      );
    } catch (error) {
      if (isOutrun(error)) return undefined;
      throw error;
    }
  }

  get record(): SagaRecord {
    return this.#record;
  }

  get id(): string {
    return this.#record.metadata.name;
  }

  /** Must be called before each effect. Throws when another process may have taken over the saga. */
  async ensure(): Promise<void> {
    this.#refuseWhenLost();
    if (!this.#trusted()) await this.#renew();
  }

  /** Writes the progress of the saga. */
  update(learned: (status: SagaStatus) => SagaStatus): Promise<void> {
    return this.#inTurn(() =>
      this.#swap(async ({ metadata, status }) => {
        this.#record = await this.#store.updateStatus(Saga, { metadata, status: learned(status ?? {}) });
      }),
    );
  }

  /** The second of the two writes of a saga: it removes the record. */
  async end(): Promise<void> {
    await this.ensure();
    await this.#inTurn(() =>
      this.#swap(async ({ metadata: { name, uid, resourceVersion } }) => {
        await this.#store.delete(Saga, name, { preconditions: { uid, resourceVersion } });
      }, 'gone is fine'),
    );
    this.release();
  }

  /** Stops working on the saga. The process that finds its record continues it. */
  release(): void {
    this.#lost = true;
    this.#cancelRenewal();
  }

  #trusted(): boolean {
    return this.#world.monotonic_ms() - this.#renewed_ms < trusted_ms;
  }

  #refuseWhenLost(): void {
    if (this.#lost) throw new HoldLost(`saga ${this.id} is no longer owned by this process`);
  }

  #renew(): Promise<void> {
    return this.update((status) => ({ ...status, renewedAt: preciseTimestamp(this.#world.now()) }));
  }

  #scheduleRenewal(): Cancel {
    return this.#world.after(renewEvery_ms, () => {
      if (this.#lost) return;
      this.#cancelRenewal = this.#scheduleRenewal();
      // A failed renewal is repeated. Until one succeeds, `ensure` throws once the lease may have expired.
      void this.#renew().catch(() => undefined);
    });
  }

  /** The renewal and the saga write the same record, one at a time. */
  #inTurn(write: () => Promise<void>): Promise<void> {
    const result = this.#turn.then(write);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #swap(write: (record: SagaRecord) => Promise<void>, whenGone: 'lost' | 'gone is fine' = 'lost'): Promise<void> {
    for (;;) {
      this.#refuseWhenLost();
      const written_ms = this.#world.monotonic_ms();
      try {
        await write(this.#record);
        this.#renewed_ms = written_ms;
        return;
      } catch (error) {
        if (!isOutrun(error)) throw error;
        if ((await this.#reread(error)) === 'gone' && whenGone === 'gone is fine' && this.#trusted()) return;
      }
    }
  }

  /**
   * An earlier write of this process may have succeeded although its response was lost. The term shows whose write it
   * is. Another uid is a later run with the same id.
   */
  async #reread(error: unknown): Promise<'ours' | 'taken' | 'gone'> {
    const current = await this.#store.get(Saga, this.id);
    const { metadata, spec } = this.#record;
    if (current?.metadata.uid !== metadata.uid || current.spec.term !== spec.term) {
      this.release();
      return current ? 'taken' : 'gone';
    }
    if (current.metadata.resourceVersion === metadata.resourceVersion) throw error;
    this.#record = current;
    return 'ours';
  }
}

/** A run with this id has not ended. */
export function alreadyRunning(cause?: unknown): Problem {
  return new StillInProgress('the same operation is still in progress; try again in a moment', { cause });
}

/** The record no longer exists, or is no longer the one that was read. */
function isOutrun(error: unknown): boolean {
  return isProblem(error, 'conflict') || isProblem(error, 'not_found');
}
