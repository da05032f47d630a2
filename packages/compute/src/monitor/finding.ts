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
  'instance-in-error',
  'stale-status',
  'incomplete-record',
] as const;
export type Checker = (typeof checkers)[number];

/** A problem that the monitor found. */
export interface Finding {
  readonly checker: Checker;
  /** The id of the instance, or of the object that has no instance. */
  readonly id: string;
  readonly message: string;
  /** The evidence. The same problem with other evidence is another finding. */
  readonly evidence: string;
}

/** Identifies a finding across passes. */
export function keyOf({ checker, id, evidence }: Finding): string {
  return `${checker} ${id} ${evidence}`;
}
