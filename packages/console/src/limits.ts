/** Timeouts and delays, with their reasons. */
export const waits = {
  /** An access token is renewed this long before its end, so that no request meets an expired one. */
  renewal_ms: 5 * 60_000,
  /** After a renewal that failed because the server was not reachable. */
  renewalRetry_ms: 10_000,
  /** A hidden page keeps its streams for this long. Browsers have only six connections per server. */
  hidden_ms: 30_000,
  /** A list that nothing shows any more is kept up to date for this long, for the way back. */
  linger_ms: 5_000,
  /** How often a list is read that got no stream of its own. */
  poll_ms: 10_000,
  /** The service sends a heartbeat every 15 seconds, so that the third one is missing. */
  silence_ms: 45_000,
  /** A message about a finished action stays this long. */
  toast_ms: 6_000,
  /** Skeletons before this would only flicker. */
  skeleton_ms: 150,
  /** How long a copy button says that it copied. */
  copied_ms: 1_500,
} as const;

export const limits = {
  /** Streams of one page. */
  streams: 2,
  /** Rows from which a table only renders the visible ones. */
  virtualRows: 60,
  /** Requests of one bulk action at the same time. */
  bulkRequests: 4,
  /** Ids of visited resources that the browser remembers. */
  visited: 200,
} as const;
