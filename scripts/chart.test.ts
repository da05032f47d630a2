import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { Errors } from 'typebox/schema';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const root = dirname(import.meta.dirname);
const read = (path: string) => readFile(join(root, path), 'utf8');

it('the default values match the schema, and every value has a default and a description', async () => {
  const schema = JSON.parse(await read('deploy/chart/values.schema.json')) as object;
  const values: unknown = parse(await read('deploy/chart/values.yaml'));
  const [, errors] = Errors(schema, values);
  expect(errors).toEqual([]);
  const table = await read('deploy/chart/README.md');
  expect(table.match(/^\| `\S+` \|/gm)?.length).toBeGreaterThan(30);
  expect(table.match(/^\| `\S+` \|[^|]*\|\s*\|$/gm)).toBeNull();
});

it('the alert rules use only metrics that the platform has', async () => {
  const { rules } = parse(await read('deploy/chart/files/alerts.yaml')) as { rules: readonly { expr: string }[] };
  const documented = await read('docs/reference/metrics.md');
  const used = rules.flatMap(({ expr }) => expr.match(/unikorn_[a-z_]+/g) ?? []);
  expect(used.length).toBeGreaterThanOrEqual(rules.length);
  for (const metric of used) expect(documented).toContain(`\`${metric.replace(/_(count|sum|bucket)$/, '')}\``);
});

it('the alert rules use only labels that their metrics have', async () => {
  interface Alert {
    readonly expr: string;
    readonly annotations: Readonly<Record<string, string>>;
  }
  const { rules } = parse(await read('deploy/chart/files/alerts.yaml')) as { rules: readonly Alert[] };
  const documented = await read('docs/reference/metrics.md');
  // The ServiceMonitor adds the name of the part.
  expect(await read('deploy/chart/templates/monitoring.yaml')).toContain('targetLabel: part');
  const labelsOf = (metric: string) => {
    const row = documented.split('\n').find((line) => line.startsWith(`| \`${metric.replace(/_count$/, '')}\` |`));
    return ['part', ...(row?.split('|')[3]?.match(/\w+/g) ?? [])];
  };
  for (const { expr, annotations } of rules) {
    const known = (expr.match(/unikorn_[a-z_]+/g) ?? []).flatMap(labelsOf);
    const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */));
    const selected = [...expr.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label);
    expect([expr, [...grouped, ...selected].filter((label) => !known.includes(label))]).toEqual([expr, []]);
    const shown = [
      ...Object.values(annotations)
        .join(' ')
        .matchAll(/\$labels\.(\w+)/g),
    ].map(([, label = '']) => label);
    expect([expr, shown.filter((label) => !grouped.includes(label))]).toEqual([expr, []]);
  }
});

it('the image and the chart name no registry', async () => {
  for (const file of ['deploy/Containerfile', 'deploy/chart/values.yaml'])
    expect(await read(file)).not.toMatch(/(?:FROM|BASE=|repository:)\s*\S+\.\S+\//);
});
