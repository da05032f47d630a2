/**
 * How much may be missing at once before it is not believed. Single machines do get lost, so up to three are believed.
 * Of many, a fifth is believed: a failed host takes its machines with it. More than that is rather a fault of what was
 * asked: an empty database, a wrong project, an answer that was cut off.
 */
const believed = { count: 3, share: 0.2 } as const;

/**
 * Whether so many are missing at once that the answer is wrong rather than that they are lost. Where several are
 * expected and not one of them is shown, the answer is always doubted, however few they are: recreating machines that
 * still exist loses their disks, and waiting loses only time.
 *
 * @example if (isImplausibleLoss({ expected: servers.length, missing })) log.warn('nothing is created again for now');
 */
export function isImplausibleLoss({
  expected,
  missing,
}: {
  readonly expected: number;
  readonly missing: number;
}): boolean {
  const all = expected > 1 && missing === expected;
  return all || missing > Math.max(believed.count, believed.share * expected);
}
