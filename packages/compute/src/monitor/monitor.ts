import { whenAborted, type ObjectIndex, type Runnable, type WatchCache } from '@unikorn/core/controller';
import { toError } from '@unikorn/core/errors';
import type { History } from '@unikorn/core/history';

import type { ComputeConfiguration } from '../configuration.ts';
import type { WatchingContext } from '../context.ts';
import { ComputeInstance } from '../kinds/index.ts';
import { linkedInstance } from '../link/index.ts';
import { settleHolds, type About } from '../holds/index.ts';
import { isSettled } from '../provisioners/instance/refusals.ts';
import { settleCharge, type Charge } from '../sagas/index.ts';
import type { RegionWatches, SeenServer } from '../watches.ts';
import { FindingReporter } from './finding-reporter.ts';
import { keyOf } from './finding.ts';
import { monitorMetrics } from './metrics.ts';
import { measurePopulation } from './population.ts';
import { removeOrphan, type Orphan } from './orphans.ts';
import { survey, type Suspicion } from './survey.ts';

/**
 * It reads caches, and lists charges and references of instances. It changes only charges and references, and deletes
 * servers of instances that were deleted.
 */
export type MonitorContext = Omit<WatchingContext, 'regionClient' | 'watches'> & {
  readonly regionClient: Pick<
    WatchingContext['regionClient'],
    'hold' | 'letGo' | 'references' | 'server' | 'deleteServer'
  >;
  readonly watches: Pick<RegionWatches, 'servers'>;
} & { readonly history: Pick<History, 'record'> };
export type MonitorConfiguration = Pick<Required<ComputeConfiguration>, 'monitorPeriod_ms' | 'stuckAfter_ms'>;

/**
 * Looks regularly for problems that no controller has noticed. A finding is only reported if two passes in a row have
 * found it, because caches may differ for a moment and writes may be in progress. Findings are reported and not
 * repaired, with two exceptions: charges and references are corrected as in the undo of a saga, and a server that was
 * created after the deletion of its instance is deleted.
 */
export class InstanceMonitor implements Runnable {
  readonly name = 'instance-monitor';
  readonly #context: MonitorContext;
  readonly #configuration: MonitorConfiguration;
  readonly #instances: WatchCache<typeof ComputeInstance>;
  readonly #servers: RegionWatches['servers'];
  readonly #byLink: ObjectIndex<SeenServer>;

  constructor(context: MonitorContext, configuration: MonitorConfiguration) {
    this.#context = context;
    this.#configuration = configuration;
    this.#instances = context.caches.of(ComputeInstance);
    this.#servers = context.watches.servers;
    this.#byLink = this.#servers.index(({ metadata: { tags } }) => valueOf(linkedInstance(tags)));
  }

  async run(signal: AbortSignal): Promise<void> {
    const { world, telemetry, history } = this.#context;
    const reporter = new FindingReporter(telemetry, history, world);
    let before: ReadonlyMap<string, Suspicion> = new Map();
    await Promise.race([Promise.all([this.#instances.whenSynced(), this.#servers.whenSynced()]), whenAborted(signal)]);
    while (!signal.aborted) {
      const begun_ms = world.monotonic_ms();
      try {
        before = await this.#pass(reporter, before, signal);
      } catch (thrown) {
        telemetry.log.error({ err: toError(thrown) }, 'a monitor pass failed and will be retried');
      }
      monitorMetrics(telemetry.registry).passes.observe((world.monotonic_ms() - begun_ms) / 1000);
      await world.sleep(this.#configuration.monitorPeriod_ms, signal);
    }
    // Another process measures now.
    measurePopulation(telemetry, []);
    reporter.forget();
  }

  /** The current suspicions, given those of the previous pass. */
  async #pass(
    reporter: FindingReporter,
    before: ReadonlyMap<string, Suspicion>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Suspicion>> {
    const { identityClient, regionClient, world, telemetry } = this.#context;
    const { stuckAfter_ms } = this.#configuration;
    measurePopulation(telemetry, this.#instances.list());
    const suspicions = new Map<string, Suspicion>();
    for await (const suspicion of survey({
      identityClient,
      regionClient,
      world,
      stuckAfter_ms,
      instances: this.#instances,
      servers: this.#servers,
      byLink: this.#byLink,
    })) {
      if (signal.aborted) return before;
      suspicions.set(keyOf(suspicion), suspicion);
    }
    const standing = [...suspicions].flatMap(([key, suspicion]) => (before.has(key) ? [suspicion] : []));
    reporter.report(standing);
    await this.#settle(
      standing.flatMap(({ charge }) => charge ?? []),
      signal,
    );
    await this.#settleHolds(
      standing.flatMap(({ holder }) => holder ?? []),
      signal,
    );
    await this.#removeOrphans(
      standing.flatMap(({ orphan }) => orphan ?? []),
      signal,
    );
    return suspicions;
  }

  /**
   * Safe with concurrent changes of the instance: the stored instance is read before and after, and the next pass
   * handles what changed in between.
   */
  async #settle(charges: readonly Charge[], signal: AbortSignal): Promise<void> {
    const { telemetry } = this.#context;
    const { settled } = monitorMetrics(telemetry.registry);
    const failures: Error[] = [];
    for (const charge of charges) {
      if (signal.aborted) return;
      const failure = await settleCharge(this.#context, charge).then(() => undefined, toError);
      settled.inc({ outcome: failure ? 'failed' : 'settled' });
      if (failure) failures.push(failure);
    }
    if (charges.length > failures.length)
      telemetry.log.info({ count: charges.length - failures.length }, 'wrong quota charges were corrected');
    if (failures.length > 0)
      telemetry.log.warn(
        { count: failures.length, err: failures.at(-1) },
        'wrong quota charges could not be corrected',
      );
  }

  /** Safe for the same reason. References that running sagas have claimed are not changed. */
  async #settleHolds(holders: readonly About[], signal: AbortSignal): Promise<void> {
    const { telemetry } = this.#context;
    const { settledHolds } = monitorMetrics(telemetry.registry);
    for (const holder of new Map(holders.map((each) => [each.id, each])).values()) {
      if (signal.aborted) return;
      const failure = await settleHolds(this.#context, holder, isSettled).then(() => undefined, toError);
      settledHolds.inc({ outcome: failure ? 'failed' : 'settled' });
      if (failure)
        telemetry.log.warn({ err: failure, id: holder.id }, 'the references of an instance could not be corrected');
    }
  }

  async #removeOrphans(orphans: readonly Orphan[], signal: AbortSignal): Promise<void> {
    const { telemetry } = this.#context;
    const { removedServers } = monitorMetrics(telemetry.registry);
    for (const orphan of orphans) {
      if (signal.aborted) return;
      try {
        if ((await removeOrphan(this.#context, orphan)) === 'kept') continue;
        removedServers.inc({ outcome: 'removed' });
        telemetry.log.warn({ ...orphan }, 'the server of a deleted instance was deleted');
      } catch (thrown) {
        removedServers.inc({ outcome: 'failed' });
        telemetry.log.warn({ err: toError(thrown), ...orphan }, 'the server of a deleted instance was not deleted');
      }
    }
  }
}

function valueOf(link: string | undefined): readonly string[] {
  return link === undefined ? [] : [link];
}
