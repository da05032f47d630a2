import { backoff_ms } from '@unikorn/core/backoff';
import { isProblem, Problem, toError, type ProblemCode } from '@unikorn/core/errors';
import { labels } from '@unikorn/core/resource';
import { getKnown } from '@unikorn/core/store';

import { Allocation, allocationIdOf, type PendingChange } from '../kinds/quota.ts';
import { waits } from '../limits.ts';
import { changedAllocation, isCharged, newAllocation, type Charge } from './allocation.ts';
import { combine, split, toAmounts } from './amounts.ts';
import { type LedgerContext, type LedgerOptions } from './context.ts';
import { ledgerMetrics } from './metrics.ts';
import { requireOpenProject } from './project.ts';
import { recount, settle } from './settlement.ts';
import { Turns } from './turns.ts';
import { LedgerWriter } from './writer.ts';

type Verdict = 'kept' | 'reverted';

interface Intent extends Pick<PendingChange, 'type' | 'allocationId' | 'projectId' | 'delta'> {
  /** The version of the allocation from which the delta was computed; undefined if there was none. */
  readonly from: string | undefined;
}

/**
 * Charges allocations. An allocation changes in three steps, and the process may die after each: the ledger counts the
 * change, the allocation is written with the token of the change, the ledger removes the change. An unfinished change
 * is kept or undone depending on whether the allocation has its token. The totals are never less than the sum of the
 * allocations, so concurrent changes never exceed a limit.
 *
 * @example
 * const ledger = new Ledger({ store, world, telemetry, processName });
 * await ledger.charge({ scope, resource: { kind: 'networks.region.unikorn-cloud.org', id }, amounts: [{ kind: 'networks', committed: 1, reserved: 0 }], naming, author, ifAbsent: 'charge' });
 */
export class Ledger {
  readonly #context: LedgerContext;
  readonly #turns = new Turns();

  constructor(options: LedgerOptions) {
    const { combined } = ledgerMetrics(options.telemetry.registry);
    const writer = new LedgerWriter(options.store, (changes) => {
      combined.observe(changes);
    });
    this.#context = { ...options, writer };
  }

  /** Sets the amounts of the resource. Can be repeated. */
  charge(charge: Charge): Promise<Allocation> {
    const id = allocationIdOf(charge.scope.organizationId, charge.resource);
    return this.#turns.take(id, async () => {
      const { store } = this.#context;
      for (let attempt = 1; ; attempt++) {
        // A resource that is charged for the first time has no allocation. If the copy in this process is wrong about
        // that, the change is not opened, or the allocation cannot be created.
        const isKnown = attempt > 1 || charge.ifAbsent === 'refuse';
        const current =
          isKnown || (await store.get(Allocation, id, { cached: true })) ? await store.get(Allocation, id) : undefined;
        requireChargeable(current, charge);
        if (current && isCharged(current, charge)) return current;
        // It is checked again while the change is counted.
        if (!current) await requireOpenProject(store, charge.scope, getKnown);
        const charged = await this.#charge(id, current, charge);
        if (charged) return charged;
      }
    });
  }

  /** Releases the amounts of the resource. It is not an error if there are none. */
  release(organizationId: string, allocationId: string): Promise<void> {
    return this.#turns.take(allocationId, async () => {
      const { store } = this.#context;
      const isOwn = (found: Allocation | undefined): found is Allocation =>
        found?.metadata.labels?.[labels.organization] === organizationId;
      for (let attempt = 1; ; attempt++) {
        // Its version is compared with the stored one when the change is opened.
        const copied = attempt === 1 ? await store.get(Allocation, allocationId, { cached: true }) : undefined;
        const current = isOwn(copied) ? copied : await store.get(Allocation, allocationId);
        if (!isOwn(current)) return;
        if (await this.#release(organizationId, current)) return;
      }
    });
  }

  /**
   * Ends the changes of an organization that their processes left unfinished; returns those that are still in progress.
   */
  async settle(organizationId: string): Promise<readonly PendingChange[]> {
    const { inFlight } = await settle(this.#context, organizationId);
    return inFlight;
  }

  /** Compares the totals with the allocations, and corrects them if they differ. */
  recount(organizationId: string): Promise<void> {
    return recount(this.#context, organizationId);
  }

  async #charge(id: string, current: Allocation | undefined, charge: Charge): Promise<Allocation | undefined> {
    const { store, world } = this.#context;
    const { organizationId, projectId } = charge.scope;
    const delta = combine(toAmounts(charge.amounts), toAmounts(current?.spec.allocations ?? []), -1);
    const intent: Intent = {
      type: 'charge',
      allocationId: id,
      projectId,
      delta,
      from: current?.metadata.resourceVersion,
    };
    if (current)
      return this.#change(organizationId, intent, (token) =>
        store.update(Allocation, changedAllocation(current, charge, token, world.now())),
      );
    const create = async (token: string) => {
      // Checked again while the change is counted: a project that is being deleted waits for counted changes.
      await requireOpenProject(store, charge.scope);
      return store.create(Allocation, newAllocation(charge, token));
    };
    return this.#change(organizationId, intent, create, ({ metadata: { uid } }) =>
      store.delete(Allocation, id, { preconditions: { uid } }),
    );
  }

  async #release(
    organizationId: string,
    { metadata: { name, uid, resourceVersion, labels: label }, spec }: Allocation,
  ): Promise<true | undefined> {
    const delta = combine({}, toAmounts(spec.allocations), -1);
    const intent: Intent = {
      type: 'release',
      allocationId: name,
      projectId: label?.[labels.project] ?? '',
      delta,
      from: resourceVersion,
    };
    return this.#change<true>(organizationId, intent, async () => {
      await this.#context.store.delete(Allocation, name, { preconditions: { uid, resourceVersion } });
      return true;
    });
  }

  /**
   * The three steps; undefined if another process came in between and everything must be read again. Settling an
   * unfinished change makes its write fail, except for a create, which is undone if it comes too late.
   */
  async #change<T>(
    organizationId: string,
    { from, ...intent }: Intent,
    write: (token: string) => Promise<T>,
    takeBack?: (written: T) => Promise<unknown>,
  ): Promise<T | undefined> {
    const { world, processName } = this.#context;
    const change: PendingChange = {
      ...intent,
      token: world.uuid(),
      holder: processName,
      since: Math.floor(world.now()),
    };
    const opened = await this.#open(organizationId, change, from);
    if (opened === 'occupied') await this.#wait(organizationId);
    if (opened !== 'open') return undefined;
    const written = await this.#write(organizationId, change, write);
    if (written === undefined) return undefined;
    const closed = this.#close(organizationId, change, 'kept');
    if (takeBack && world.now() - change.since >= waits.quotaChange_ms && !(await closed)) {
      await takeBack(written);
      await this.recount(organizationId);
      throw new Problem('server_error', 'the quota change took too long and was undone: try again');
    }
    // A caller who learns of a release may use the quota at once, so releases are waited for. Other changes are
    // completed in the background.
    if (Object.keys(split(change.delta).shrinkage).length > 0) await closed;
    this.#count(intent.type, 'made');
    return written;
  }

  async #write<T>(
    organizationId: string,
    change: PendingChange,
    write: (token: string) => Promise<T>,
  ): Promise<T | undefined> {
    const { world } = this.#context;
    try {
      if (world.now() - change.since > waits.quotaChange_ms / 2)
        throw new Problem('conflict', 'the quota ledger took too long to record the change');
      return await write(change.token);
    } catch (error) {
      if (!isProblem(error) || !certain.has(error.code)) throw error;
      await this.#close(organizationId, change, 'reverted');
      if (error.code === 'conflict') return undefined;
      throw error;
    }
  }

  /** The allocation is read again within the ledger write: from then on no other change of it can begin. */
  async #open(
    organizationId: string,
    change: PendingChange,
    from: string | undefined,
  ): Promise<'open' | 'occupied' | 'outdated'> {
    const { store, writer } = this.#context;
    let now: string | undefined;
    const look = async () => {
      now = (await store.get(Allocation, change.allocationId))?.metadata.resourceVersion;
    };
    try {
      return await writer.apply(organizationId, (books) => (now === from ? books.open(change) : 'outdated'), look);
    } catch (error) {
      if (!isProblem(error, 'quota_exceeded')) throw error;
      // Unfinished changes of dead processes must not block free quota.
      if ((await settle(this.#context, organizationId)).ended > 0) return this.#open(organizationId, change, from);
      this.#count(change.type, 'exceeded');
      throw error;
    }
  }

  /** Waits until the other change of the allocation has finished, or is known to be abandoned. */
  async #wait(organizationId: string): Promise<void> {
    const { ended } = await settle(this.#context, organizationId);
    if (ended === 0) await this.#context.world.sleep(waits.occupiedAllocation_ms);
  }

  /** False if another process has ended the change, or if the ledger cannot be written at the moment. */
  async #close(organizationId: string, change: PendingChange, verdict: Verdict): Promise<boolean> {
    try {
      return await this.#closeOnce(organizationId, change, verdict);
    } catch (error) {
      this.#context.telemetry.log.warn(
        { err: toError(error), organizationId },
        'a change of a quota ledger is still to be settled',
      );
      void this.#closeLater(organizationId, change, verdict);
      return false;
    }
  }

  #closeOnce(organizationId: string, { token }: PendingChange, verdict: Verdict): Promise<boolean> {
    return this.#context.writer.apply(organizationId, (books) => books.close(token, verdict));
  }

  /**
   * An open change reserves quota, so its end is repeated as soon as the ledger can be written again. After the lease
   * of the change, any process settles it.
   */
  async #closeLater(organizationId: string, change: PendingChange, verdict: Verdict): Promise<void> {
    const { world } = this.#context;
    for (let failures = 0; ; failures++) {
      await world.sleep(backoff_ms(failures, world.random()));
      if (world.now() - change.since >= waits.quotaChange_ms) return;
      try {
        await this.#closeOnce(organizationId, change, verdict);
        return;
      } catch {
        // The store is still away.
      }
    }
  }

  #count(type: PendingChange['type'], outcome: string): void {
    ledgerMetrics(this.#context.telemetry.registry).changes.inc({ type, outcome });
  }
}

/** Failures after which it is certain that nothing was written. */
const certain: ReadonlySet<ProblemCode> = new Set([
  'conflict',
  'not_found',
  'invalid_request',
  'invalid_object',
  'storage_full',
]);

function requireChargeable(current: Allocation | undefined, { scope, resource, ifAbsent }: Charge): void {
  if (!current && ifAbsent === 'refuse')
    throw new Problem('not_found', `there is no allocation for ${resource.kind} ${resource.id}`);
  if (current && current.metadata.labels?.[labels.project] !== scope.projectId)
    throw new Problem('conflict', `${resource.kind} ${resource.id} is already charged to another project`);
}
