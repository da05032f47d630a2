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

it('the image and the chart name no registry', async () => {
  for (const file of ['deploy/Containerfile', 'deploy/chart/values.yaml'])
    expect(await read(file)).not.toMatch(/(?:FROM|BASE=|repository:)\s*\S+\.\S+\//);
});
