import { isProblem } from '../errors/index.ts';
import { limits } from '../limits.ts';
import { randomId } from '../resource/index.ts';
import type { Store } from '../store/index.ts';
import { preciseTimestamp, type Cancel, type World } from '../world/index.ts';
import { Saga, sagaLabel, type SagaRecord, type SagaStatus } from './kind.ts';

/** The saga is no longer ours: nothing of it may happen here any more. */
export class HoldLost extends Error {
  override readonly name = 'HoldLost';
}

interface Surroundings {
  readonly store: Store;
  readonly world: World;
}

const renewEvery_ms = limits.lease_ms / 3;

/** We count our lease as run out a third early, so that an effect begun in time has that long to arrive. */
const trusted_ms = (limits.lease_ms * 2) / 3;

/**
 * One saga, held by this process: the only way to write its record.
 *
 * Every write compares-and-swaps the record, and a takeover changes it, so whoever has lost the saga finds out with its
 * next write. Between writes the lease decides: others leave the record alone until they have seen it unchanged for a
 * whole lease, and `ensure` refuses to go on when that could have happened. What remains is an effect that was begun in
 * time and arrives after the lease has passed, because the process or the network stood still in between. No log can
 * prevent that; that steps are repeatable, and undo only what carries their saga's id, makes it harmless.
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

  /** The first of the two writes that a saga costs. */
  static async begin(
    surroundings: Surroundings,
    saga: string,
    input: Readonly<Record<string, unknown>>,
    holder: string,
  ): Promise<Holding> {
    const { store, world } = surroundings;
    const written_ms = world.monotonic_ms();
    const metadata = { name: randomId(world), labels: { [sagaLabel]: saga } };
    return new Holding(
      surroundings,
      await store.create(Saga, { metadata, spec: { saga, input, holder, term: 1 } }),
      written_ms,
    );
  }

  /** Undefined when somebody else was faster. */
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

  /** To be called before each effect; fails when the saga may have been taken over. */
  async ensure(): Promise<void> {
    this.#refuseWhenLost();
    if (!this.#trusted()) await this.#renew();
  }

  /** Writes what was learned on the way. */
  update(learned: (status: SagaStatus) => SagaStatus): Promise<void> {
    return this.#inTurn(() =>
      this.#swap(async ({ metadata, status }) => {
        this.#record = await this.#store.updateStatus(Saga, { metadata, status: learned(status ?? {}) });
      }),
    );
  }

  /** The second of the two writes that a saga costs: it is over. */
  async end(): Promise<void> {
    await this.ensure();
    await this.#inTurn(() =>
      this.#swap(async ({ metadata: { name, uid, resourceVersion } }) => {
        await this.#store.delete(Saga, name, { preconditions: { uid, resourceVersion } });
      }, 'gone is fine'),
    );
    this.release();
  }

  /** Does nothing more to the saga; whoever finds its record goes on. */
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
      // A renewal that fails is repeated; until one works, `ensure` lets nothing happen once the lease may have passed.
      void this.#renew().catch(() => undefined);
    });
  }

  /** The renewal and the saga itself write the same record: one at a time. */
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

  /** An earlier write of ours may have arrived although its answer was lost: the term tells ours from another's. */
  async #reread(error: unknown): Promise<'ours' | 'taken' | 'gone'> {
    const current = await this.#store.get(Saga, this.id);
    if (current?.spec.term !== this.#record.spec.term) {
      this.release();
      return current ? 'taken' : 'gone';
    }
    if (current.metadata.resourceVersion === this.#record.metadata.resourceVersion) throw error;
    this.#record = current;
    return 'ours';
  }
}

/** The record is gone, or no longer what we read. */
function isOutrun(error: unknown): boolean {
  return isProblem(error, 'conflict') || isProblem(error, 'not_found');
}
