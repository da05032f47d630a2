import {
  whenAborted,
  type CacheIndex,
  type ControllerContext,
  type Runnable,
  type WatchCache,
} from '@unikorn/core/controller';
import { isProblem, toError } from '@unikorn/core/errors';
import type { StatusOf } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import type { RegionConfiguration } from '../configuration.ts';
import type { RegionContext } from '../context.ts';
import { Region, Server } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { identityOf, labelOf } from '../placement.ts';
import { isProviderFailure, type Found, type ObservedServer } from '../provider/index.ts';
import { announceServers } from './announce.ts';
import { SurveyReporter } from './survey-reporter.ts';
import { checkup, type MonitorFinding } from './checkup.ts';
import { monitorMetrics } from './metrics.ts';
import { Survey } from './survey.ts';

/** It only uses providers. It needs neither permissions nor quota. */
export type MonitorContext = ControllerContext & Pick<RegionContext, 'providers'>;
export type MonitorConfiguration = Pick<Required<RegionConfiguration>, 'monitorPeriod_ms' | 'monitorConcurrency'>;

/**
 * Checks every server periodically, with one call for each principal, and writes the results. The cost per server does
 * not depend on the number of servers: it reads caches by index and never the store.
 */
export class ServerMonitor implements Runnable {
  readonly name = 'server-monitor';
  readonly #context: MonitorContext;
  readonly #configuration: MonitorConfiguration;
  readonly #servers: WatchCache<typeof Server>;
  readonly #regions: WatchCache<typeof Region>;
  readonly #byIdentity: CacheIndex<typeof Server>;
  /** Servers that are marked as missing, by region. */
  readonly #marked: CacheIndex<typeof Server>;

  constructor(context: MonitorContext, configuration: MonitorConfiguration) {
    this.#context = context;
    this.#configuration = configuration;
    this.#regions = context.caches.of(Region);
    this.#servers = context.caches.of(Server);
    this.#byIdentity = this.#servers.index(({ metadata }) =>
      metadata.labels?.[labels.region] === undefined ? [] : valueOf(metadata.labels[labels.identity]),
    );
    this.#marked = this.#servers.index(({ metadata, status }) =>
      status?.missingSince === undefined ? [] : valueOf(metadata.labels?.[labels.region]),
    );
  }

  async run(signal: AbortSignal): Promise<void> {
    const { world, telemetry } = this.#context;
    const { monitorPeriod_ms: period_ms } = this.#configuration;
    await Promise.race([Promise.all([this.#servers.whenSynced(), this.#regions.whenSynced()]), whenAborted(signal)]);
    const cancel = this.#servers.subscribe(announceServers(telemetry));
    const reporter = new SurveyReporter(telemetry);
    while (!signal.aborted) {
      const begun_ms = world.monotonic_ms();
      await this.#unlessStopped(this.#pass(reporter, signal), signal);
      const spent_ms = world.monotonic_ms() - begun_ms;
      monitorMetrics(telemetry.registry).passes.observe(spent_ms / 1000);
      await world.sleep(Math.max(period_ms - spent_ms, period_ms / 10), signal);
    }
    cancel();
  }

  /** A provider may take long to answer. A monitor that is stopped does not wait for it. */
  async #unlessStopped(pass: Promise<void>, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    void pass
      .catch((thrown: unknown) => {
        this.#context.telemetry.log.error({ err: toError(thrown) }, 'a monitor pass failed and will be retried');
      })
      .finally(() => {
        over.abort();
      });
    await whenAborted(AbortSignal.any([signal, over.signal]));
  }

  async #pass(reporter: SurveyReporter, signal: AbortSignal): Promise<void> {
    this.#measureRegions();
    const surveys = new Map<string, Survey>();
    const identities = [...this.#byIdentity.values()].values();
    const lane = async () => {
      for (const identityId of identities) {
        if (signal.aborted) return;
        await this.#visit(identityId, surveys, signal);
        await this.#context.world.turn();
      }
    };
    await Promise.all(Array.from({ length: this.#configuration.monitorConcurrency }, lane));
    // An interrupted pass has not checked everything, so it cannot decide what is missing.
    if (signal.aborted) return;
    for (const [regionId, survey] of surveys) await this.#judge(regionId, survey);
    await reporter.report(surveys, (regionId) => nameOf(this.#regions.get(regionId)) ?? regionId);
  }

  #measureRegions(): void {
    const { regions } = monitorMetrics(this.#context.telemetry.registry);
    regions.reset();
    for (const region of this.#regions.list()) {
      const id = region.metadata.name;
      regions.set({ region_id: id, region_name: nameOf(region) ?? id, type: region.spec.provider }, 1);
    }
  }

  async #visit(identityId: string, surveys: Map<string, Survey>, signal: AbortSignal): Promise<void> {
    const servers = this.#byIdentity.get(identityId);
    const [first] = servers;
    if (!first) return;
    const survey = this.#surveyOf(labelOf(first.metadata, labels.region), surveys);
    const found = survey.reachable ? await this.#look(first, survey) : undefined;
    if (signal.aborted) return;
    if (!found) {
      survey.skip(servers);
      return;
    }
    const writes: Promise<void>[] = [];
    for (const { server, observed } of survey.compare(servers, found, (id) => this.#servers.get(id) !== undefined)) {
      const status = this.#changed(server, { state: 'seen', observed });
      survey.count(server.spec.flavorID, (status ?? server.status)?.phase ?? 'Pending');
      // Nearly all servers are as they were, and cost no promise.
      if (status) writes.push(this.#write(server, status));
    }
    await Promise.all(writes);
  }

  #surveyOf(regionId: string, surveys: Map<string, Survey>): Survey {
    const survey = surveys.get(regionId) ?? new Survey(this.#context.providers.cloudOf(regionId));
    surveys.set(regionId, survey);
    return survey;
  }

  /** All servers that the provider shows for the principal of a server; undefined if it cannot be asked. */
  async #look({ metadata }: Server, survey: Survey): Promise<readonly Found<ObservedServer>[] | undefined> {
    for (let look = 1; ; look++) {
      try {
        const provider = await survey.provider;
        return await provider.servers.list(identityOf(metadata));
      } catch (thrown) {
        if (look < limits.looksBeforeGone && isProviderFailure(thrown, 'transient')) continue;
        survey.fail(thrown);
        return undefined;
      }
    }
  }

  /** Only at the end of a pass is it known whether missing servers are plausible. */
  async #judge(regionId: string, survey: Survey): Promise<void> {
    const { monitorPeriod_ms: period_ms } = this.#configuration;
    const tell = (servers: readonly Server[], finding: MonitorFinding) =>
      Promise.all(
        servers.map(async (server) => {
          const status = this.#changed(server, finding);
          if (status) await this.#write(server, status);
        }),
      );
    if (survey.credibility === 'sane') {
      await tell(survey.missing, { state: 'missing', period_ms });
      return;
    }
    const absent = new Map(
      [...survey.missing, ...this.#marked.get(regionId)].map((server) => [server.metadata.name, server]),
    );
    for (const { metadata } of survey.unasked) absent.delete(metadata.name);
    await tell(survey.unasked, {
      state: 'unsure',
      message: 'its region does not answer; this is the last known state of the machine',
    });
    await tell([...absent.values()], {
      state: 'unsure',
      message: 'the provider does not show the machine, but too many machines are missing at once to treat it as lost',
    });
  }

  /** The new status of a server; undefined if it stays the same. */
  #changed(server: Server, finding: MonitorFinding): StatusOf<typeof Server> | undefined {
    return checkup(server, finding, this.#context.world.now());
  }

  /** Writes a status. A server that changed meanwhile is checked again in the next pass. */
  async #write(server: Server, status: StatusOf<typeof Server>): Promise<void> {
    const { store, telemetry } = this.#context;
    const { name, resourceVersion } = server.metadata;
    const report = (outcome: 'written' | 'raced' | 'failed') => {
      monitorMetrics(telemetry.registry).writes.inc({
        region_id: server.metadata.labels?.[labels.region] ?? '',
        outcome,
      });
    };
    try {
      await store.updateStatus(Server, { metadata: { name, resourceVersion }, status });
      report('written');
    } catch (thrown) {
      const raced = isProblem(thrown, 'conflict') || isProblem(thrown, 'not_found');
      report(raced ? 'raced' : 'failed');
      if (!raced)
        telemetry.log.error({ err: toError(thrown), server: name }, 'the status of a server could not be stored');
    }
  }
}

function valueOf(label: string | undefined): readonly string[] {
  return label === undefined ? [] : [label];
}

function nameOf(region: Region | undefined): string | undefined {
  return region?.metadata.labels?.[labels.name];
}
