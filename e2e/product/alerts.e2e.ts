import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';

const root = dirname(dirname(import.meta.dirname));
const rulesFile = join(root, 'deploy/monitoring/alerts.yaml');

interface Rule {
  readonly alert: string;
  readonly annotations: { readonly summary: string; readonly description: string };
  readonly labels: Readonly<Record<string, string>>;
}
interface RulesFile {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}
const rules = (parse(readFileSync(rulesFile, 'utf8')) as RulesFile).groups.flatMap((group) => group.rules);

/** A series with its values, one per minute, in the notation of promtool. */
type Series = Readonly<Record<string, string>>;

interface Row {
  /** Series on which the alert fires, and series on which it stays silent. */
  readonly sick: Series;
  readonly healthy: Series;
  /** When it has fired at the latest. */
  readonly after: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
  /** The summary without the label `part`, which only the pods of the chart have. */
  readonly withoutPart?: string;
}

const requests = 'unikorn_http_request_duration_seconds_count';

const rows: Readonly<Record<string, Row>> = {
  UnikornPartWithoutLeader: {
    // Two processes wait. In the healthy case, one of them leads.
    sick: {
      'unikorn_leader{lease="region-monitor",pod="a"}': '0x30',
      'unikorn_leader{lease="region-monitor",pod="b"}': '0x30',
    },
    healthy: {
      'unikorn_leader{lease="region-monitor",pod="a"}': '0x30',
      'unikorn_leader{lease="region-monitor",pod="b"}': '1x30',
    },
    after: '3m',
    labels: { lease: 'region-monitor' },
    summary: 'No process does the work of region-monitor.',
  },
  UnikornRequestsFail: {
    sick: {
      [`${requests}{part="compute/api",status="200"}`]: '0+90x60',
      [`${requests}{part="compute/api",status="503"}`]: '0+10x60',
    },
    healthy: {
      [`${requests}{part="compute/api",status="200"}`]: '0+1000x60',
      [`${requests}{part="compute/api",status="500"}`]: '0+1x60',
    },
    after: '20m',
    labels: { part: 'compute/api' },
    summary: 'More than 2 % of the requests to compute/api fail.',
    withoutPart: 'More than 2 % of the requests to the server fail.',
  },
  UnikornRequestsRefused: {
    sick: { 'unikorn_http_requests_refused_total{part="compute/api",reason="overloaded"}': '0+120x60' },
    // One caller who sends too much is not an overload of the server.
    healthy: {
      'unikorn_http_requests_refused_total{part="compute/api",reason="overloaded"}': '0+6x60',
      'unikorn_http_requests_refused_total{part="compute/api",reason="caller"}': '0+6000x60',
    },
    after: '20m',
    labels: { part: 'compute/api' },
    summary: 'compute/api refuses requests because it has too much work.',
    withoutPart: 'The server refuses requests because it has too much work.',
  },
  UnikornSagaStuck: {
    sick: { 'unikorn_saga_stuck{saga="compute.instance.create"}': '1x30' },
    healthy: { 'unikorn_saga_stuck{saga="compute.instance.create"}': '0x30' },
    after: '6m',
    labels: { saga: 'compute.instance.create' },
    summary: 'A saga compute.instance.create needs an operator.',
  },
  UnikornObjectsWait: {
    sick: { 'unikorn_controller_oldest_queued_seconds{controller="server"}': '0+60x30' },
    healthy: { 'unikorn_controller_oldest_queued_seconds{controller="server"}': '5 100 0 30 0x30' },
    after: '15m',
    labels: { controller: 'server' },
    summary: 'Objects wait for more than two minutes in the queue of server.',
  },
  UnikornObjectsFail: {
    sick: {
      'unikorn_controller_retrying{controller="server",pod="a"}': '6x60',
      'unikorn_controller_retrying{controller="server",pod="b"}': '6x60',
    },
    healthy: { 'unikorn_controller_retrying{controller="server",pod="a"}': '3x60' },
    after: '20m',
    labels: { controller: 'server' },
    summary: '12 objects of server fail again and again.',
  },
  UnikornCloudAway: {
    sick: { 'unikorn_region_monitor_provider_away{region_id="north"}': '1x30' },
    // A short outage ends before anybody is woken.
    healthy: { 'unikorn_region_monitor_provider_away{region_id="north"}': '1x3 0x30' },
    after: '6m',
    labels: { region_id: 'north' },
    summary: 'The cloud of region north does not answer.',
  },
  UnikornServersMissing: {
    sick: { 'unikorn_region_monitor_brake{region_id="north"}': '1x30' },
    healthy: { 'unikorn_region_monitor_brake{region_id="north"}': '0x30' },
    after: '6m',
    labels: { region_id: 'north' },
    summary: 'Many servers of region north are missing at once.',
  },
  UnikornInstancesWithProblems: {
    sick: { 'unikorn_compute_monitor_findings{checker="instance-in-error"}': '3x60' },
    healthy: { 'unikorn_compute_monitor_findings{checker="instance-in-error"}': '3x10 0x50' },
    after: '40m',
    labels: { checker: 'instance-in-error' },
    summary: 'The check instance-in-error finds problems with 3 instances.',
  },
  UnikornQuotaNearlyFull: {
    sick: {
      'unikorn_quota_used{organization_id="acme",kind="servers"}': '95x90',
      'unikorn_quota_limit{organization_id="acme",kind="servers"}': '100x90',
    },
    // A quota of nothing that is not used is not full.
    healthy: {
      'unikorn_quota_used{organization_id="acme",kind="servers"}': '50x90',
      'unikorn_quota_limit{organization_id="acme",kind="servers"}': '100x90',
      'unikorn_quota_used{organization_id="acme",kind="gpus"}': '0x90',
      'unikorn_quota_limit{organization_id="acme",kind="gpus"}': '0x90',
    },
    after: '65m',
    labels: { organization_id: 'acme', kind: 'servers' },
    summary: 'Organization acme uses more than 90 % of its quota of servers.',
  },
  UnikornStoreFails: {
    sick: { 'unikorn_cache_failures_total{part="region/api"}': '0+60x60' },
    healthy: { 'unikorn_cache_failures_total{part="region/api"}': '0 1 1 1 2x60' },
    after: '20m',
    labels: { part: 'region/api' },
    summary: 'region/api cannot read the store.',
    withoutPart: 'The server cannot read the store.',
  },
};

const absent = spawnSync('promtool', ['--version']).error !== undefined;
if (absent)
  process.stderr.write(
    'skipped: the alert rules are not loaded, because promtool is missing; on Debian: apt-get install prometheus\n',
  );

const folder = mkdtempSync(join(tmpdir(), 'unikorn-alerts-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function promtool(...args: readonly string[]): string {
  return execFileSync('promtool', args, { encoding: 'utf8', stdio: 'pipe' });
}

function written(name: string, document: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, stringify(document, { lineWidth: 0 }));
  return path;
}

function unitTest(series: Series, { alert, labels, annotations }: Rule, { after, ...row }: Row, fires: boolean) {
  const expected = {
    exp_labels: { ...labels, ...row.labels },
    exp_annotations: { ...annotations, summary: row.summary },
  };
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [{ eval_time: after, alertname: alert, exp_alerts: fires ? [expected] : [] }],
  };
}

/** An installation without the chart. */
function bareTest(rule: Rule, row: Row, summary: string) {
  const series = Object.entries(row.sick).map(([name, values]) => [name.replace(/part="[^"]*",?/, ''), values]);
  return unitTest(Object.fromEntries(series) as Series, rule, { ...row, labels: {}, summary }, true);
}

it('every alert has series on which it fires, and series on which it stays silent', () => {
  expect(Object.keys(rows).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
});

describe.skipIf(absent)('Prometheus', () => {
  it('accepts the rules', () => {
    expect(promtool('check', 'rules', rulesFile)).toContain(`SUCCESS: ${rules.length} rules found`);
  });

  it.each(rules.map((rule) => [rule.alert, rule] as const))('fires %s when it should, and only then', (alert, rule) => {
    const row = rows[alert];
    if (!row) throw new Error(`${alert} has no series`);
    const tests = [
      unitTest(row.sick, rule, row, true),
      unitTest(row.healthy, rule, row, false),
      ...(row.withoutPart === undefined ? [] : [bareTest(rule, row, row.withoutPart)]),
    ];
    const file = written(`${alert}.yaml`, { rule_files: [rulesFile], evaluation_interval: '1m', tests });
    expect(promtool('test', 'rules', file)).toContain('SUCCESS');
  });

  it('understands every query of the dashboard', () => {
    const { panels } = JSON.parse(readFileSync(join(root, 'deploy/monitoring/dashboard.json'), 'utf8')) as {
      readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
    };
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    // Grafana replaces its variables before it sends a query.
    const recorded = queries.map((expr, index) => ({
      record: `panel:query${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$\{?\w+\}?/g, '.*'),
    }));
    expect(recorded.length).toBeGreaterThan(20);
    const file = written('dashboard.yaml', { groups: [{ name: 'dashboard', rules: recorded }] });
    expect(promtool('check', 'rules', file)).toContain(`SUCCESS: ${recorded.length} rules found`);
  });
});
