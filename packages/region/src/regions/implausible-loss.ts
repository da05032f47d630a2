/**
 * How much may be missing at once before the answer is doubted. Single machines do get lost, so up to three are
 * accepted. Of many, a fifth is accepted, because a failed host takes its machines with it. More than that is probably
 * a wrong answer: an empty database, a wrong project, a truncated list.
 */
const believed = { count: 3, share: 0.2 } as const;

/**
 * Whether so many are missing at once that the answer is probably wrong. If several are expected and none is shown, the
 * answer is always doubted, however few they are: recreating machines that still exist loses their disks, and waiting
 * only loses time.
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
