/** The checks of the monitor. */
export const checkers = [
  'orphan-server',
  'instance-without-server',
  'missing-link',
  'duplicate-link',
  'allocation-drift',
  'reference-drift',
  'stuck-provisioning',
  'stuck-deleting',
  'stale-status',
  'incomplete-record',
] as const;
export type Checker = (typeof checkers)[number];

/** Something that is not as it should be. */
export interface Finding {
  readonly checker: Checker;
  /** Of the instance, or of what is there without one. */
  readonly id: string;
  readonly message: string;
  /** The evidence. The same conclusion from other evidence is another finding. */
  readonly evidence: string;
}

/** One and the same finding in one pass and the next. */
export function keyOf({ checker, id, evidence }: Finding): string {
  return `${checker} ${id} ${evidence}`;
}
