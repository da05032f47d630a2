/** Timeouts, polling intervals and tolerated ages, with their reasons. */
export const waits = {
  /** A user who presses Tab does not wait longer than this. */
  completion_ms: 1_000,
  /**
   * How soon to try again while another command holds the lock of the contexts file. A write takes a few milliseconds.
   */
  lockRetry_ms: 20,
  /** Longer than the renewal of a token takes on a slow connection. The renewal holds the lock. */
  lock_ms: 30_000,
  /** Clocks may differ by this much, because tokens are renewed earlier than that. */
  clockSkew_ms: 30_000,
  /** A certificate that expires within this time is reported, so that there is time to renew it. */
  certificateWarning_ms: 14 * 24 * 3600_000,
  /** A service that needs longer for a simple request is reported as not reachable. */
  examination_ms: 5_000,
  /** The delay before a retry while an earlier request with the same key is in progress. */
  createRetry_ms: 250,
  /** How often the console output is requested. The API has no stream of it. */
  consolePoll_ms: 2_000,
  /** Enough time to find a password and a second factor. */
  browserLogin_ms: 5 * 60_000,
  /**
   * A token that expires within this time is renewed before it is used, because clocks differ and requests take time.
   */
  tokenMargin_ms: 60_000,
  /** How often resources are listed if the API has no stream of them. */
  poll_ms: 1000,
  /** After Ctrl-C, a command may take this long to end. Then the process exits. */
  interrupt_ms: 1000,
  /** A machine that writes nothing for this long has answered the last line of a pipe. */
  consoleQuiet_ms: 1000,
  /** How often the progress line is drawn: smooth, and cheap for a terminal. */
  frame_ms: 100,
  /** How often a live table is drawn when nothing happens. Ages are shown in seconds. */
  redraw_ms: 1000,
  /** How long a command waits for its result, unless --timeout is given. Bare metal takes minutes to build. */
  default_ms: 10 * 60_000,
} as const;

/** Maximum numbers and page sizes. */
export const limits = {
  /** The maximum number of suggestions for a name that does not exist. Users do not read longer lists. */
  suggestions: 3,
  /** Names in one sentence. A user does not read more of them. */
  enumerated: 10,
  /** How often an instance may change between its plan and its update before the command gives up. */
  planRounds: 5,
  /** How often an update is repeated after a concurrent change of the object. */
  updateAttempts: 8,
  /** Entries that are shown if the user does not say how many: about a screen. */
  activities: 50,
  /** The maximum number of pages that are read from one service. A page can be empty although there is a next one. */
  activityPages: 20,
  /** Entries of one page of the activity. The services allow no larger pages. */
  activityPage: 500,
  /** Entries that are remembered while a stream is followed, so that none is repeated when the stream starts again. */
  followedEntries: 10_000,
  /**
   * How often the check of a region is requested again. While a slow cloud is checked, each request is refused after
   * half a minute, and the next one may get the result.
   */
  regionCheckRetries: 20,
} as const;
