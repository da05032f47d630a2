/** How long things are waited for, how often they are asked for, and how old they may be. */
export const waits = {
  /** A person who presses Tab does not wait longer than this. */
  completion_ms: 1_000,
  /**
   * How soon to try again while another command holds the lock of the contexts file. A write takes a few milliseconds.
   */
  lockRetry_ms: 20,
  /** Longer than the renewal of a token takes on a slow connection, which is done under the lock. */
  lock_ms: 30_000,
  /** Clocks may differ by this much without harm: tokens are renewed earlier than that. */
  clockSkew_ms: 30_000,
  /** A certificate that ends within this time is reported, so that there is time to renew it. */
  certificateWarning_ms: 14 * 24 * 3600_000,
  /** A service that takes longer to answer a simple question is reported as not reachable. */
  examination_ms: 5_000,
  /** How soon to ask again while an earlier request with the same key is still being answered. */
  createRetry_ms: 250,
  /** How often new console output is asked for. There is no stream of it. */
  consolePoll_ms: 2_000,
  /** Long enough to find a password and a second factor. */
  browserLogin_ms: 5 * 60_000,
  /** A token that ends within this time is renewed before it is used: clocks differ, and requests take a while. */
  tokenMargin_ms: 60_000,
  /** How often resources are listed that the API does not stream. */
  poll_ms: 1000,
  /** A command has this long to end by itself after Ctrl-C. Then it is ended. */
  interrupt_ms: 1000,
  /** How often the line that shows progress is drawn: fluent to the eye, and cheap for a terminal. */
  frame_ms: 100,
  /**
   * How long a command waits for what it asked for, unless --timeout says otherwise. Bare metal takes minutes to build.
   */
  default_ms: 10 * 60_000,
} as const;

/** How many there may be, and how many are read or shown at once. */
export const limits = {
  /** Names that are suggested in place of one that does not exist: more would not be read. */
  suggestions: 3,
  /** How often an instance may change between its plan and its update before the command gives up. */
  planRounds: 5,
  /** How often an update is made again because somebody else changed the object meanwhile. */
  updateAttempts: 8,
} as const;
