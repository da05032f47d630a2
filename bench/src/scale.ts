import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: { smoke: { type: 'boolean', default: false }, minutes: { type: 'string', default: '20' } },
  allowPositionals: true,
  strict: false,
});

/** The suites that are asked for by name. */
export const wanted: readonly string[] = positionals;

/** How long a soak takes. */
export const minutes = Number(values.minutes);

/** With `--smoke` every suite runs once with small numbers. That shows that it runs; its figures mean nothing. */
export const smoke = values.smoke === true;

/** So many; in a smoke run only as many as it takes to go every way once. */
export function many(count: number, least = 50): number {
  return smoke ? Math.min(count, Math.max(least, Math.ceil(count / 500))) : count;
}

/** How often something is measured that counts as its best. */
export const repeats = smoke ? 1 : 3;
