/** Every way a provider can fail, and whether asking the same again may help. */
export const failures = {
  /** It went wrong once; it may or may not have happened. */
  transient: { retry: 'soon' },
  /** The provider cannot be reached, or cannot serve anybody. */
  unavailable: { retry: 'soon' },
  /** The provider has no room for it now. */
  capacity: { retry: 'later' },
  /** The provider's own limit for this tenant is reached. */
  quota: { retry: 'later' },
  /** Something still uses it. */
  in_use: { retry: 'later' },
  /** It is in a state that does not allow this now. */
  conflict: { retry: 'later' },
  /** The identity has no counterpart yet, so nothing can be made for it. */
  unrealised_identity: { retry: 'later' },
  /** What the call is about, or something it names, is not there. */
  not_found: { retry: 'never' },
  /** The provider does not accept what was asked. */
  invalid: { retry: 'never' },
  /** The credentials do not allow it. */
  permission: { retry: 'never' },
  /** More than one thing answers to a name, or one is not what it should be; a person must look. */
  inconsistent: { retry: 'never' },
} as const satisfies Readonly<Record<string, { readonly retry: 'soon' | 'later' | 'never' }>>;

export type FailureKind = keyof typeof failures;

/** The only thing a provider throws. The message is safe to show to a user; what the cloud said is the cause. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export function isProviderFailure(error: unknown, ...kinds: readonly FailureKind[]): error is ProviderFailure {
  return error instanceof ProviderFailure && (kinds.length === 0 || kinds.includes(error.kind));
}
