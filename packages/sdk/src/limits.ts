/** Timeouts and retry delays, with their reasons. */
export const waits = {
  /** The delay after a stream broke. Most interruptions are short. */
  firstReconnect_ms: 500,
  /** The longest delay between two attempts to open a stream. */
  longestReconnect_ms: 15_000,
  /** A service sends a heartbeat every 15 seconds. After three missing ones, the connection is dead. */
  silence_ms: 45_000,
  /** Longer than the timeout of a service for its own requests. */
  request_ms: 60_000,
  /** The delay before a failed request is retried. It doubles with each retry. */
  firstRetry_ms: 200,
  /** The longest delay between two attempts of one request. */
  longestRetry_ms: 10_000,
} as const;
