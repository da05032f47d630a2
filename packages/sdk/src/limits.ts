/** How long things are waited for, how often they are asked for, and how old they may be. */
export const waits = {
  /** After a stream broke. Most breaks are short. */
  firstReconnect_ms: 500,
  /** The longest pause between two attempts to open a stream again. */
  longestReconnect_ms: 15_000,
  /** Longer than a service takes to give up on a request of its own. */
  request_ms: 60_000,
  /** Before a request that failed is sent again. Doubled each time. */
  firstRetry_ms: 200,
  /** The longest pause between two attempts of one request. */
  longestRetry_ms: 10_000,
} as const;
