import { limits } from '../limits.ts';

/** The limits of a server; each can be set, with the platform's as the default. */
export interface HttpLimits {
  readonly bodyBytes: number;
  readonly requestTimeout_ms: number;
  /** A client that cannot send its headers in this time is holding a connection, not making a request. */
  readonly headersTimeout_ms: number;
  /** Long enough for a body of the largest size over a poor line. */
  readonly receiveTimeout_ms: number;
  /** How long a stopping server waits for answers that are under way. */
  readonly drain_ms: number;
  /** How long a client may leave a part of an answer unread before it is cut off. */
  readonly stall_ms: number;
}

export const defaultHttpLimits: HttpLimits = {
  bodyBytes: limits.bodyBytes,
  requestTimeout_ms: limits.requestTimeout_ms,
  headersTimeout_ms: 5_000,
  receiveTimeout_ms: 10_000,
  drain_ms: limits.drain_ms,
  stall_ms: limits.stall_ms,
};
