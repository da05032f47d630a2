/** Whom a token speaks for. */
export interface VerifiedToken {
  /** A user's mail address, or a service account's id. */
  readonly subject: string;
  readonly accountType: 'user' | 'service';
  readonly userId?: string;
  readonly serviceAccountId?: string;
  /** Where they are an active member; for a service account its one organization. */
  readonly organizationIds: readonly string[];
  /** In milliseconds since the epoch. */
  readonly expiresAt?: number;
}

/** Says whom a token speaks for, or undefined when it is not (or no longer) good. */
export interface TokenVerifier {
  verify(token: string): Promise<VerifiedToken | undefined>;
}
