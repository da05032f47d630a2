import { limits } from '../limits.ts';

/** The limits of a server. Each can be set; the defaults are the limits of the platform. */
export interface HttpLimits {
  readonly bodyBytes: number;
  readonly requestTimeout_ms: number;
  /** A client that does not send its headers in this time only occupies a connection. */
  readonly headersTimeout_ms: number;
  /** Enough for the largest body over a slow connection. */
  readonly receiveTimeout_ms: number;
  /** How long a stopping server waits for responses in progress. */
  readonly drain_ms: number;
  /** How long a client may leave a chunk of a response unread before the connection is closed. */
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
