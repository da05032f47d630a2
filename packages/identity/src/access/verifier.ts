/** The holder of a token. */
export interface VerifiedToken {
  /** A user's mail address, a service account's id, or the common name of a service of the platform. */
  readonly subject: string;
  readonly accountType: 'user' | 'service' | 'system';
  readonly userId?: string;
  readonly serviceAccountId?: string;
  /**
   * The organizations in which the subject is an active member. For a service account its one organization, for the
   * platform's services none.
   */
  readonly organizationIds: readonly string[];
  /** In milliseconds since the epoch. */
  readonly expiresAt?: number;
}

/** Returns the holder of a token; undefined if the token is not valid, or no longer valid. */
export interface TokenVerifier {
  /** The thumbprint of the verified client certificate of the request. */
  verify(token: string, certificateThumbprint?: string): Promise<VerifiedToken | undefined>;
}
