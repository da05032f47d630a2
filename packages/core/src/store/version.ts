/** Resource versions are decimal counters of any length: compared as numbers without becoming one. */
export function compareVersions(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
