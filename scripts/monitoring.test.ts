import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

const root = dirname(import.meta.dirname);
const read = (path: string) => readFile(join(root, path), 'utf8');

interface Panel {
  readonly title: string;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const { panels } = JSON.parse(await read('deploy/monitoring/dashboard.json')) as { readonly panels: readonly Panel[] };
const targets = panels.flatMap((panel) => panel.targets ?? []);
const documented = await read('docs/reference/metrics.md');

/** The labels of our metrics; undefined for those of the process, which another library makes. */
function labelsOf(metric: string): readonly string[] | undefined {
  const name = metric.replace(/_(count|sum|bucket)$/, '');
  const row = documented.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
  return row?.split('|')[3]?.match(/\w+/g) ?? (row === undefined ? undefined : []);
}

it('the dashboard uses only metrics and labels that the platform has', () => {
  expect(targets.length).toBeGreaterThan(20);
  for (const { expr, legendFormat } of targets) {
    const metrics = expr.match(/unikorn_[a-z_]+/g) ?? [];
    for (const metric of metrics) expect([metric, labelsOf(metric)]).not.toEqual([metric, undefined]);
    const known = ['le', 'instance', ...metrics.flatMap((metric) => labelsOf(metric) ?? [])];
    const used = [
      ...[...expr.matchAll(/(?:by|on|group_left) \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */)),
      ...[...expr.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label),
      ...[...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label),
    ];
    expect([expr, used.filter((label) => !known.includes(label))]).toEqual([expr, []]);
  }
});

it('no panel of the dashboard covers another one', () => {
  const cells = panels.flatMap(({ title, gridPos: { h, w, x, y } }) => {
    expect([title, x + w <= 24]).toEqual([title, true]);
    return Array.from({ length: h * w }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`);
  });
  expect(new Set(cells).size).toBe(cells.length);
});

it('the guide says what to do about every alert', async () => {
  const alerts = (await read('deploy/monitoring/alerts.yaml')).match(/(?<=alert: )\w+/g) ?? [];
  expect(alerts.length).toBeGreaterThan(5);
  const guide = await read('docs/guides/monitoring.md');
  for (const alert of alerts) expect(guide).toContain(`\`${alert}\``);
});
