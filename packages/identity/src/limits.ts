/** Timeouts, intervals and tolerated ages, with their reasons. */
export const waits = {
  /** As in the original: long enough not to break automation, short enough that a forgotten token expires. */
  serviceAccountToken_ms: 90 * 24 * 3600_000,
  /** Longer than reading any state that fits on one machine, and shorter than the timeout of clients. */
  tenancy_ms: 10_000,
  /** Artefacts that expire within the same period are found and removed together. */
  artifactPeriod_ms: 5 * 60_000,
  /** RFC 8628 tells devices to wait five seconds between two requests. A part of that time is the network. */
  devicePoll_ms: 4_000,
  /** How long the published metadata of a login provider is cached. */
  discovery_ms: 3600_000,
  /** A login provider that does not answer must not delay a login for longer. */
  loginProvider_s: 10,
  /**
   * The maximum age of a process's copy of the signing keys: much less than the time between the publication of a key
   * and its first use.
   */
  signingKeys_ms: 60_000,
  /** As long as a login may take. */
  loginContinuation_ms: 10 * 60_000,
  /** Long enough for a weekend. */
  invitation_ms: 72 * 3600_000,
  /** The first delay after too many failed logins. It doubles with each further failure. */
  firstLoginPause_ms: 1_000,
  /** Failed logins are forgotten after this time without another failure. */
  failedLogins_ms: 3600_000,
  /** Expired artefacts are refused immediately, and stay in the store for some minutes. */
  artifactSweep_ms: 5 * 60_000,
  /** Keys are used for months, and a new one is published an hour before it signs. */
  rotationCheck_ms: 6 * 3600_000,
  /**
   * The delay before a retry while another change of the same allocation is in progress: about the duration of a
   * change.
   */
  occupiedAllocation_ms: 50,
  /**
   * How often unfinished changes are searched. They only reserve quota, so a quarter of their lease is often enough.
   */
  ledgerSweep_ms: 15_000,
} as const;

/** Maximum numbers and page sizes. */
export const limits = {
  /** More accounts than call within a day. Each needs a few hundred bytes. */
  rememberedTokens: 10_000,
  /** Few users operate a platform. */
  globalRoles: 200,
  /** Far more applications than a platform has. */
  applications: 256,
  /** Each user needs several reads. After this many users, other work gets its turn. */
  usersPage: 50,
  /** At a login the password is compared with the hash of each membership, so the number must be small. */
  passwordMemberships: 8,
  /** Limits the memory. An attacker who fills it has been delayed this many times. */
  throttledLogins: 10_000,
  /** The longest mail address. A longer text would only use memory. */
  accountLength: 320,
} as const;
