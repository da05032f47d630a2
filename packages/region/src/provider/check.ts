/** The result of trying one thing that a provider needs from its cloud. For platform operators. */
export interface Check {
  /** Such as `create projects in the domain`. */
  readonly name: string;
  /** `optional`: it is missing, and only a part of the features needs it. `unknown`: it could not be tried. */
  readonly state: CheckState;
  /** Why it is not `ok`, in the words of the cloud where there are any. */
  readonly message?: string;
  /** How the operator of the cloud grants it, or sets it up. */
  readonly remedy?: string;
}

export const checkStates = ['ok', 'missing', 'optional', 'unknown'] as const;
export type CheckState = (typeof checkStates)[number];
