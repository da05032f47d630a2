/**
 * Compares resource versions, which are decimal counters of any length, without converting them to numbers.
 *
 * @example compareVersions('9', '10') // negative
 */
export function compareVersions(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
