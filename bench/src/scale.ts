/** With `--smoke` every suite runs once with small numbers. That shows that it runs; its figures mean nothing. */
export const smoke = process.argv.includes('--smoke');

/** So many; in a smoke run only as many as it takes to go every way once. */
export function many(count: number, least = 50): number {
  return smoke ? Math.min(count, Math.max(least, Math.ceil(count / 500))) : count;
}

/** How often something is measured that counts as its best. */
export const repeats = smoke ? 1 : 3;
