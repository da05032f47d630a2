import type { History } from '@unikorn/core/history';
import type { Telemetry } from '@unikorn/core/telemetry';
import { timestamp, type World } from '@unikorn/core/world';

import { limits } from '../limits.ts';
import { checkers, keyOf, type Checker, type Finding } from './finding.ts';
import { monitorMetrics } from './metrics.ts';
import { standingFindings } from './standing.ts';

/** Reports the findings of passes to metrics, log and histories. An unchanged finding is reported once. */
export class FindingReporter {
  readonly #world: Pick<World, 'now'>;
  readonly #telemetry: Telemetry;
  readonly #history: Pick<History, 'record'>;
  #standing: ReadonlyMap<string, Finding> = new Map();

  constructor(telemetry: Telemetry, history: Pick<History, 'record'>, world: Pick<World, 'now'>) {
    this.#world = world;
    this.#telemetry = telemetry;
    this.#history = history;
    this.#measure([]);
  }

  report(findings: readonly Finding[]): void {
    const before = this.#standing;
    this.#standing = new Map(findings.map((finding) => [keyOf(finding), finding]));
    this.#measure(findings);
    Object.assign(standingFindings(this.#telemetry.registry), {
      findings: [...this.#standing.values()],
      checkedTime: timestamp(this.#world.now()),
    });
    for (const [checker, found] of grouped(
      [...this.#standing].flatMap(([key, finding]) => (before.has(key) ? [] : [finding])),
    ))
      this.#tellFound(checker, found);
    for (const [checker, over] of grouped(
      [...before].flatMap(([key, finding]) => (this.#standing.has(key) ? [] : [finding])),
    ))
      this.#tellOver(checker, over);
  }

  /** The monitor runs in another process now, so this process must not go on to report old findings. */
  forget(): void {
    this.#measure([]);
    Object.assign(standingFindings(this.#telemetry.registry), { findings: [], checkedTime: undefined });
  }

  #measure(findings: readonly Finding[]): void {
    const gauge = monitorMetrics(this.#telemetry.registry).findings;
    const counts = grouped(findings);
    for (const checker of checkers) gauge.set({ checker }, counts.get(checker)?.length ?? 0);
  }

  #tellFound(checker: Checker, found: readonly Finding[]): void {
    const { log, registry } = this.#telemetry;
    monitorMetrics(registry).found.inc({ checker }, found.length);
    for (const { id, message } of found.slice(0, limits.findingsTold)) {
      log.warn({ checker, id, finding: message }, 'the monitor found a problem');
      this.#history.record(id, { type: 'finding', action: checker, outcome: 'found', message });
    }
    if (found.length > limits.findingsTold)
      log.warn({ checker, more: found.length - limits.findingsTold }, 'the monitor found more problems of this kind');
  }

  #tellOver(checker: Checker, over: readonly Finding[]): void {
    for (const { id } of over.slice(0, limits.findingsTold))
      this.#history.record(id, { type: 'finding', action: checker, outcome: 'over' });
    this.#telemetry.log.info(
      { checker, ids: over.slice(0, limits.findingsTold).map(({ id }) => id), count: over.length },
      'a problem that the monitor found is solved',
    );
  }
}

function grouped(findings: readonly Finding[]): ReadonlyMap<Checker, readonly Finding[]> {
  return Map.groupBy(findings, ({ checker }) => checker);
}
