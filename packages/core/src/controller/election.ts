import { isProblem, toError } from '../errors/index.ts';
import type { Resource, SpecOf } from '../kinds/index.ts';
import { limits, waits } from '../limits.ts';
import type { Store } from '../store/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import { TenureLost, underTenure } from '../tenure.ts';
import type { Cancel, World } from '../world/index.ts';
import { whenAborted } from './abort.ts';
import { duration_ms, Lease, mayTake, observe, released, taken, type LeaseObservation } from './lease.ts';
import { leaderMetrics } from './metrics.ts';

export interface Election {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** The name of the lease. Only one process at a time holds the lease of a name. */
  readonly name: string;
  /** Unique to this process. */
  readonly processName: string;
}

/** The process that led before and did not release the lease: it was killed or lost its connection. */
export interface Predecessor {
  readonly processName: string;
  /** When the process last renewed the lease. */
  readonly lastSeen: string | undefined;
}

type HeldLease = Resource<typeof Lease>;
type Lead = (signal: AbortSignal, predecessor?: Predecessor) => Promise<void>;

const renewal_ms = limits.lease_ms / 3;

/**
 * A leader that cannot renew the lease stops this long after its last renewal began: well before another process may
 * take over.
 */
const tenure_ms = (limits.lease_ms * 2) / 3;

/** The pause before a failed renewal is tried again: several attempts fit into the tenure. */
const retry_ms = limits.lease_ms / 15;

/**
 * Waits for the lease and leads while it holds it. It repeats this until the signal aborts or `lead` returns. The
 * signal that `lead` gets aborts a third of the lease duration before another process can lead. Work that does not stop
 * in that time can overlap with the next leader. Then the compare-and-swap of the store refuses its writes, and
 * `ensureTenure` refuses its calls of other services and of clouds.
 *
 * @example await runAsLeader({ store, world, telemetry, name: 'region-server-controller', processName }, signal, (leading) => controller.run(leading));
 */
export async function runAsLeader(election: Election, signal: AbortSignal, lead: Lead): Promise<void> {
  while (!signal.aborted) {
    const tenure = await acquire(election, signal);
    if (!tenure) return;
    await tenure.hold(signal, lead);
    if (!tenure.ended) return;
  }
}

async function acquire(election: Election, signal: AbortSignal): Promise<Tenure | undefined> {
  const { world, telemetry, name } = election;
  let observation: LeaseObservation | undefined;
  while (!signal.aborted) {
    const begun = momentIn(world);
    try {
      const { lease, seen, other, predecessor } = await contend(election, observation);
      observation = seen;
      if (lease) return new Tenure(election, lease, begun, predecessor);
      if (other && seen) await untilWorthwhile(election, other, seen, signal);
      else await world.sleep(retry_ms, signal);
      continue;
    } catch (thrown) {
      // Another candidate was faster. Its lease is watched at once, so that its release is not missed.
      if (isProblem(thrown, 'conflict')) continue;
      telemetry.log.warn({ err: toError(thrown), lease: name }, 'the lease could not be read or acquired');
    }
    await world.sleep(renewal_ms * (0.5 + world.random()), signal);
  }
  return undefined;
}

/** Waits until the lease of another process changes, or may have expired. A holder that stops releases its lease. */
async function untilWorthwhile(
  { store, world, name }: Election,
  { metadata, spec }: HeldLease,
  observation: LeaseObservation,
  signal: AbortSignal,
): Promise<void> {
  const end = new AbortController();
  const ended = AbortSignal.any([signal, end.signal]);
  const cancel = world.after(observation.at_ms + duration_ms(spec) - world.monotonic_ms(), () => {
    end.abort();
  });
  try {
    for await (const event of store.watch(Lease, { from: metadata.resourceVersion, name, signal: ended }))
      if (event.type !== 'bookmark') return;
  } catch {
    await world.sleep(renewal_ms * (0.5 + world.random()), ended);
  } finally {
    cancel();
  }
}

/** One attempt to get the lease: returns our lease, or the state of another process's lease. */
async function contend(
  { store, world, name, processName }: Election,
  observation: LeaseObservation | undefined,
): Promise<{ lease?: HeldLease; other?: HeldLease; seen: LeaseObservation | undefined; predecessor?: Predecessor }> {
  const current = await store.get(Lease, name);
  const now_ms = world.monotonic_ms();
  // An operator has deleted the lease. Its holder only finds out when it renews the lease.
  if (!current && observation?.holder !== undefined && !store.sole && now_ms - observation.at_ms < limits.lease_ms)
    return { seen: observation };
  if (!current)
    return {
      lease: await store.create(Lease, { metadata: { name }, spec: taken(undefined, processName, world.now()) }),
      seen: undefined,
    };
  const seen = observe(observation, current.spec, now_ms);
  if (!mayTake(current, seen, { processName, sole: store.sole, now_ms })) return { seen, other: current };
  const { holderIdentity: holder, renewTime: lastSeen } = current.spec;
  const predecessor =
    holder === undefined || holder === processName ? {} : { predecessor: { processName: holder, lastSeen } };
  return {
    lease: await store.update(Lease, {
      metadata: current.metadata,
      spec: taken(current.spec, processName, world.now()),
    }),
    seen,
    ...predecessor,
  };
}

/** A point in time, by both clocks of a process. */
interface Moment {
  readonly now: number;
  readonly monotonic_ms: number;
}

function momentIn(world: World): Moment {
  return { now: world.now(), monotonic_ms: world.monotonic_ms() };
}

/**
 * The clock for durations does not count the time in which a machine is suspended, and the other one can be set. So the
 * one decides that shows more time.
 */
function passedSince_ms(moment: Moment, world: World): number {
  return Math.max(world.now() - moment.now, world.monotonic_ms() - moment.monotonic_ms);
}

/** One period of holding the lease. */
class Tenure {
  readonly #election: Election;
  readonly #leading = new AbortController();
  readonly #predecessor: Predecessor | undefined;
  #lease: HeldLease;
  #lost = false;
  #renewed: Moment | undefined;
  #cancelExpiry: Cancel = () => undefined;

  constructor(election: Election, lease: HeldLease, begun: Moment, predecessor?: Predecessor) {
    this.#election = election;
    this.#lease = lease;
    this.#predecessor = predecessor;
    this.#extend(begun);
  }

  /** Whether it ended because the lease could not be renewed. */
  get ended(): boolean {
    return this.#leading.signal.aborted;
  }

  /**
   * Leads until the signal aborts, the lease is lost, or the work ends. It renews the lease until the work has really
   * ended.
   */
  async hold(signal: AbortSignal, lead: Lead): Promise<void> {
    const { telemetry, name, processName } = this.#election;
    const { leading } = leaderMetrics(telemetry.registry);
    const finished = new AbortController();
    const work = AbortSignal.any([signal, this.#leading.signal]);
    telemetry.log.info({ lease: name, processName }, 'leading');
    leading.set({ lease: name }, 1);
    const renewing = this.#renew(finished.signal);
    void whenAborted(work).then(() => {
      leading.set({ lease: name }, 0);
    });
    try {
      await underTenure(
        () => {
          this.#ensure();
        },
        () => lead(work, this.#predecessor),
      );
    } finally {
      finished.abort();
      leading.set({ lease: name }, 0);
      await renewing;
      this.#cancelExpiry();
      await this.#release();
      telemetry.log.info({ lease: name, processName }, 'no longer leading');
    }
  }

  /**
   * The tenure counts from before the renewal was sent, because other processes see the renewal later than that. If no
   * other process can use the store, the tenure does not end: a process that was too busy to renew the lease continues.
   */
  #extend(begun: Moment): void {
    const { store, world } = this.#election;
    this.#cancelExpiry();
    if (store.sole) return;
    this.#renewed = begun;
    this.#cancelExpiry = world.after(begun.monotonic_ms + tenure_ms - world.monotonic_ms(), () => {
      this.#leading.abort();
    });
  }

  /**
   * The clocks decide, and not only the timer: a process that was stopped continues with the work that was ready before
   * it, and only then with its timers.
   */
  #ensure(): void {
    const { world, telemetry, name } = this.#election;
    if (!this.ended && (!this.#renewed || passedSince_ms(this.#renewed, world) < tenure_ms)) return;
    this.#leading.abort();
    telemetry.log.warn({ lease: name }, 'a call was not made, because another process may lead now');
    throw new TenureLost(`this process may no longer hold the lease ${name}`);
  }

  async #renew(finished: AbortSignal): Promise<void> {
    const { store, world } = this.#election;
    const period_ms = store.sole ? waits.soleRenewal_ms : renewal_ms;
    let pause_ms = period_ms;
    while (!this.#lost) {
      await world.sleep(pause_ms, finished);
      if (finished.aborted) return;
      const begun = momentIn(world);
      // The tenure counts from the beginning of a renewal, so the time until the next one does too.
      pause_ms = (await this.#renewOnce(begun))
        ? Math.max(0, begun.monotonic_ms + period_ms - world.monotonic_ms())
        : retry_ms;
    }
  }

  async #renewOnce(begun: Moment): Promise<boolean> {
    const { telemetry, processName, name } = this.#election;
    try {
      await this.#write(taken(this.#lease.spec, processName, begun.now));
      this.#extend(begun);
      return true;
    } catch (thrown) {
      telemetry.log.warn({ err: toError(thrown), lease: name }, 'the lease could not be renewed');
      if (isProblem(thrown, 'conflict') || isProblem(thrown, 'not_found')) await this.#lookAgain();
      return false;
    }
  }

  /** Another process wrote the lease, or an earlier write of this process took effect although it seemed to fail. */
  async #lookAgain(): Promise<void> {
    const { store, name, processName, telemetry } = this.#election;
    try {
      const current = await store.get(Lease, name);
      if (current?.spec.holderIdentity === processName) this.#lease = current;
      else this.#lose();
    } catch (thrown) {
      telemetry.log.warn({ err: toError(thrown), lease: name }, 'the lease could not be read');
    }
  }

  #lose(): void {
    this.#lost = true;
    this.#leading.abort();
  }

  async #release(): Promise<void> {
    const { world, telemetry, name } = this.#election;
    if (this.#lost) return;
    try {
      await this.#write(released(this.#lease.spec, world.now()));
    } catch (thrown) {
      telemetry.log.warn({ err: toError(thrown), lease: name }, 'the lease could not be released; it will expire');
    }
  }

  async #write(spec: SpecOf<typeof Lease>): Promise<void> {
    this.#lease = await this.#election.store.update(Lease, { metadata: this.#lease.metadata, spec });
  }
}
