/** The configuration of compute; every setting has a default. */
export interface ComputeConfiguration {
  /** How often the monitor looks for what has gone wrong unnoticed. */
  readonly monitorPeriod_ms?: number;
  /** How long an instance may be on its way before it counts as stuck. */
  readonly stuckAfter_ms?: number;
  /** For how long what happened to an instance can be read, also once it is gone. */
  readonly historyRetention_ms?: number;
}

const day_ms = 24 * 3600_000;

export const defaultConfiguration: Required<ComputeConfiguration> = {
  monitorPeriod_ms: 60_000,
  stuckAfter_ms: 30 * 60_000,
  historyRetention_ms: 90 * day_ms,
};
