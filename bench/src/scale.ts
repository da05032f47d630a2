import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: { smoke: { type: 'boolean', default: false }, minutes: { type: 'string', default: '20' } },
  allowPositionals: true,
  strict: false,
});

/** The suites that are named on the command line. */
export const wanted: readonly string[] = positionals;

/** How long a soak takes. */
export const minutes = Number(values.minutes);

/**
 * With `--smoke` every suite runs once with small numbers. That shows that it works; its figures are not meaningful.
 */
export const smoke = values.smoke === true;

/** Returns the number; in a smoke run only the minimum that runs all code once. */
export function many(count: number, least = 50): number {
  return smoke ? Math.min(count, Math.max(least, Math.ceil(count / 500))) : count;
}

/** How often a measurement is repeated; the best result counts. */
export const repeats = smoke ? 1 : 3;
