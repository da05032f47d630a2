import { toError } from '@unikorn/core/errors';
import type { Telemetry } from '@unikorn/core/telemetry';

import type { Credibility } from './credibility.ts';
import { monitorMetrics } from './metrics.ts';
import type { Survey } from './survey.ts';

/** Reports the findings of monitor passes to log and metrics. Repeated findings are logged once. */
export class SurveyReporter {
  readonly #telemetry: Telemetry;
  #credibilities: ReadonlyMap<string, Credibility> = new Map();
  #orphans: ReadonlySet<string> = new Set();

  constructor(telemetry: Telemetry) {
    this.#telemetry = telemetry;
  }

  async report(surveys: ReadonlyMap<string, Survey>, nameOf: (regionId: string) => string): Promise<void> {
    const { missing, orphans, brake, away, states } = monitorMetrics(this.#telemetry.registry);
    // Gauges of regions without servers must not stay at their last value.
    for (const gauge of [missing, orphans, brake, away, states]) gauge.reset();
    for (const [regionId, survey] of surveys) {
      this.#measure(regionId, survey);
      this.#announceCredibility(regionId, survey);
      this.#announceOrphans(regionId, survey);
      await this.#measureStates({ region_id: regionId, region_name: nameOf(regionId) }, survey);
    }
    this.#credibilities = new Map([...surveys].map(([regionId, { credibility }]) => [regionId, credibility]));
    this.#orphans = new Set([...surveys.values()].flatMap((survey) => survey.orphans));
  }

  #measure(regionId: string, { credibility, seen, failures, missing, orphans }: Survey): void {
    const metrics = monitorMetrics(this.#telemetry.registry);
    const region = { region_id: regionId };
    metrics.looks.inc(region, seen);
    metrics.failures.inc(region, failures);
    metrics.missing.set(region, missing.length);
    metrics.orphans.set(region, orphans.length);
    metrics.brake.set(region, credibility === 'sane' ? 0 : 1);
    metrics.away.set(region, credibility === 'away' ? 1 : 0);
  }

  #announceCredibility(regionId: string, { credibility, missing, failures, lastFailure }: Survey): void {
    const before = this.#credibilities.get(regionId) ?? 'sane';
    if (credibility === before) return;
    const { log } = this.#telemetry;
    const facts = {
      region: regionId,
      missing: missing.length,
      failures,
      ...(lastFailure === undefined ? {} : { err: toError(lastFailure) }),
    };
    switch (credibility) {
      case 'sane':
        log.info(facts, before === 'away' ? 'the provider answers again' : 'the provider shows plausible data again');
        break;
      case 'doubtful':
        log.warn(
          facts,
          'too many servers are missing at once, or calls failed: no server counts as missing until a pass is plausible again',
        );
        break;
      case 'away':
        log.warn(facts, 'the provider does not answer: servers keep their last known status');
        break;
    }
  }

  #announceOrphans(regionId: string, { orphans }: Survey): void {
    for (const id of orphans) {
      if (!this.#orphans.has(id))
        this.#telemetry.log.warn(
          { region: regionId, server: id },
          'the provider has a server that is not in the store: it is left unchanged',
        );
    }
  }

  async #measureStates(
    region: { readonly region_id: string; readonly region_name: string },
    { provider, phases }: Survey,
  ): Promise<void> {
    if (phases.size === 0) return;
    const { states } = monitorMetrics(this.#telemetry.registry);
    // Names are optional: without them, ids are used.
    const flavors = await provider.then((cloud) => cloud.flavors()).catch(() => []);
    const names = new Map(flavors.map(({ id, name }) => [id, name]));
    for (const [flavorId, counts] of phases) {
      for (const [phase, count] of counts)
        states.set(
          { ...region, state: phase.toLowerCase(), flavor_id: flavorId, flavor_name: names.get(flavorId) ?? flavorId },
          count,
        );
    }
  }
}
