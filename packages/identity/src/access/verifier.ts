/** Whom a token speaks for. */
export interface VerifiedToken {
  /** A user's mail address, a service account's id, or the common name of one of our own services. */
  readonly subject: string;
  readonly accountType: 'user' | 'service' | 'system';
  readonly userId?: string;
  readonly serviceAccountId?: string;
  /** Where they are an active member; for a service account its one organization, for our own services none. */
  readonly organizationIds: readonly string[];
  /** In milliseconds since the epoch. */
  readonly expiresAt?: number;
}

/** Says whom a token speaks for, or undefined when it is not (or no longer) good. */
export interface TokenVerifier {
  /** The thumbprint is that of the verified client certificate the token was presented with. */
  verify(token: string, certificateThumbprint?: string): Promise<VerifiedToken | undefined>;
}
