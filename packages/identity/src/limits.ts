/** How long things are waited for, how often they are asked for, and how old they may be. */
export const waits = {
  /** As long as the original's: long enough not to break automation, short enough that a forgotten token ends. */
  serviceAccountToken_ms: 90 * 24 * 3600_000,
  /** Longer than it takes to read whatever fits on one machine, and shorter than clients wait. */
  tenancy_ms: 10_000,
  /** What expires in the same minutes is found, and removed, together. */
  artifactPeriod_ms: 5 * 60_000,
  /** RFC 8628 tells devices to wait five seconds between two questions. The way takes some of it. */
  devicePoll_ms: 4_000,
  /** How long the published settings of a login provider are believed. */
  discovery_ms: 3600_000,
  /** A login provider that does not answer must not hold up a login for longer. */
  loginProvider_s: 10,
  /** How old the view of a process of the signing keys may be: far less than a new key is announced before its use. */
  signingKeys_ms: 60_000,
  /** As long as a login may take. */
  loginContinuation_ms: 10 * 60_000,
  /** Long enough for a weekend. */
  invitation_ms: 72 * 3600_000,
  /** The first pause after too many failed logins. Doubled with each further one. */
  firstLoginPause_ms: 1_000,
  /** Failed logins are forgotten after this time without another. */
  failedLogins_ms: 3600_000,
  /** What has expired is refused at once, and takes room for some minutes more. */
  artifactSweep_ms: 5 * 60_000,
  /** Keys last for months, and a new one is announced an hour before it signs. */
  rotationCheck_ms: 6 * 3600_000,
  /** Before another change of the same allocation is looked at again: about as long as a change takes. */
  occupiedAllocation_ms: 50,
  /**
   * How often unfinished changes are searched. They only hold quota back, so a quarter of their lease is soon enough.
   */
  ledgerSweep_ms: 15_000,
} as const;

/** How many there may be, and how many are read or shown at once. */
export const limits = {
  /** More accounts than call within a day. Each costs some hundred bytes. */
  rememberedTokens: 10_000,
  /** Few people run a platform. */
  globalRoles: 200,
  /** Far more applications than a platform has. */
  applications: 256,
  /** Each user takes some reads. After so many, the next turn of the event loop goes on. */
  usersPage: 50,
  /** A password of each membership is hashed at a login, so there must not be many. */
  passwordMemberships: 8,
  /** Bounds memory. An attacker who fills it has been slowed down that many times. */
  throttledLogins: 10_000,
  /** No mail address is longer. The rest would only fill memory. */
  accountLength: 320,
} as const;
