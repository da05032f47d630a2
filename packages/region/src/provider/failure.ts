/** All types of provider failures, and whether a retry of the same call may help. */
export const failures = {
  /** A temporary error; the call may or may not have taken effect. */
  transient: { retry: 'soon' },
  /** The provider cannot be reached, or cannot serve any caller. */
  unavailable: { retry: 'soon' },
  /** The provider has no capacity for it now. */
  capacity: { retry: 'later' },
  /** The provider's own limit for this tenant is reached. */
  quota: { retry: 'later' },
  /** Another resource still uses it. */
  in_use: { retry: 'later' },
  /** Its state does not allow this now. */
  conflict: { retry: 'later' },
  /** The identity does not exist in the cloud yet, so nothing can be created for it. */
  unrealised_identity: { retry: 'later' },
  /** The object of the call, or an object that it names, does not exist. */
  not_found: { retry: 'never' },
  /** The provider does not accept the request. */
  invalid: { retry: 'never' },
  /** The credentials do not allow it. An operator corrects them, and then it must go on by itself. */
  permission: { retry: 'later' },
  /** Several objects have the same name, or one is not as expected; an operator must check. */
  inconsistent: { retry: 'never' },
} as const satisfies Readonly<Record<string, { readonly retry: 'soon' | 'later' | 'never' }>>;

export type FailureKind = keyof typeof failures;

/**
 * The only error that a provider throws. Its message is safe to show to users; the original error is the cause.
 *
 * @example throw new ProviderFailure('capacity', 'the cloud has no capacity for another server', { cause });
 */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }

  /** The number of the failed call in the logs of the cloud, if the cloud has answered with one. */
  get requestId(): string | undefined {
    const { cause } = this;
    if (!(cause instanceof Error) || !('requestId' in cause)) return undefined;
    return typeof cause.requestId === 'string' ? cause.requestId : undefined;
  }
}

/** @example if (isProviderFailure(error, 'not_found')) return { state: 'absent' }; */
export function isProviderFailure(error: unknown, ...kinds: readonly FailureKind[]): error is ProviderFailure {
  return error instanceof ProviderFailure && (kinds.length === 0 || kinds.includes(error.kind));
}
