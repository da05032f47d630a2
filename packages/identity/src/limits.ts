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
  /** Before a project that is being deleted looks again for quota changes in progress. They take milliseconds. */
  quotaChangesInProgress_ms: 1_000,
  /**
   * A change that is in progress for this long belongs to a process that died. It is twice the deadline of a request,
   * and a process starts no write after half of it, so clocks may differ by the other half.
   */
  quotaChange_ms: 60_000,
  /**
   * How long other processes cache that a token is valid, and its permissions. A revoked token and a lost right are
   * refused after this time. It is long enough that a burst of requests of one caller asks identity once.
   */
  remoteAccess_ms: 2_000,
  /**
   * How long a process of identity uses what it has read of a token and its user. Together with `remoteAccess_ms`, and
   * the two seconds between the checks of a stream, it must stay under the five seconds after which a revoked token is
   * refused everywhere. A burst of requests with one token then takes a few reads per second.
   */
  verifiedToken_ms: 500,
  /** An exchanged token is replaced this long before it expires, so that it never expires during a call. */
  tokenMargin_ms: 10_000,
  /** As in the original: often enough to limit the use of a stolen key. */
  keyRotation_ms: 90 * 24 * 3600_000,
  /**
   * A new key is published this long before it signs, so that every process and every cache of the key set has it by
   * then.
   */
  keyAnnouncement_ms: 3600_000,
  /**
   * The lifetime of a code for a program on the user's machine, in seconds. If the browser cannot reach the program,
   * the user copies the code by hand. PKCE makes the code useless for others.
   */
  pastedCode_s: 5 * 60,
  /** The contract's lifetime of a passport. The calling service reads it immediately. */
  passport_s: 60,
} as const;

/** Failed attempts without a pause, and the longest pause after more of them. The pause doubles with each. */
export const patience = {
  /** For one account. Short enough that an attacker cannot lock a user out for long by failing in their name. */
  account: { free: 5, longest_ms: 60_000 },
  /** For one address. Many users may share an address. */
  address: { free: 20, longest_ms: 15 * 60_000 },
  /** For device codes. A code has 20^8 values, and a client that guesses must wait after a few attempts. */
  deviceCode: { free: 10, longest_ms: 15 * 60_000 },
} as const;

/** Maximum numbers and page sizes. */
export const limits = {
  /** More accounts than call within a day. Each needs a few hundred bytes. */
  rememberedTokens: 10_000,
  /** Time series of quotas: enough for every quota that is nearly full, and a response of 200 kB. */
  measuredQuotas: 1_000,
  /** Few users operate a platform. */
  globalRoles: 200,
  /** Far more applications than a platform has. */
  applications: 256,
  /** Each user needs several reads. After this many users, other work gets its turn. */
  usersPage: 50,
  /** At a login the password is compared with the hash of each membership, so the number must be small. */
  passwordMemberships: 8,
  /** Limits the memory. A client that fills it has been delayed this many times. */
  throttledKeys: 10_000,
  /** The counters of failed logins in the store are in this many objects, and each of them is a few kilobytes. */
  counterObjects: 256,
  countersOfObject: 64,
  /** The attempts to change an artefact that other processes change at the same time. */
  artifactChanges: 10,
  /** The longest mail address. A longer text would only use memory. */
  accountLength: 320,
  /**
   * The maximum number of changes in progress per ledger. Each has a few hundred bytes, so the ledger stays far below
   * the maximum size of an object.
   */
  pendingQuotaChanges: 1_000,
  /** The changes that are stored with one write. Later ones go into the next write. */
  quotaChangesPerWrite: 512,
  /** Tokens that a process of another service remembers. More than it sees within the time that they are remembered. */
  remoteTokens: 4_096,
  /** Permissions that a process of another service remembers: for each token, those in a dozen organizations. */
  remoteAccess: 65_536,
  /** Every other parameter of a login request is a word, a URL or a random value. */
  loginParameterLength: 256,
  /** The limit for all stored parameters together, so that they fit into one cookie. */
  loginParametersLength: 2_048,
  /** More questions would be too many for one page. The others are asked at the next login. */
  shownInvitations: 20,
  /** More than any login form or consent form needs. */
  formBytes: 4096,
  /** The maximum number of open codes: any client can request one, and each uses about a kilobyte of the store. */
  deviceCodes: 1_000,
  /** Per address. Several users may share an address. */
  deviceCodesOfAddress: 30,
  /**
   * Each time after this number of sweeps, all artefacts are read, because those of older versions have no label for
   * their expiry.
   */
  sweepsPerFullSweep: 72,
  /** Browsers silently drop cookies of more than 4,096 bytes. */
  cookieBytes: 4_000,
  /** A passport is for one call, so it never needs more. */
  passportResources: 10,
} as const;
