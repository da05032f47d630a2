/** The configuration of compute; every setting has a default. */
export interface ComputeConfiguration {
  /** How often the monitor looks for problems that no controller has noticed. */
  readonly monitorPeriod_ms?: number;
  /** How long an instance may be in progress before it counts as stuck. */
  readonly stuckAfter_ms?: number;
  /** How long the history of an instance is kept, also after the instance is deleted. */
  readonly historyRetention_ms?: number;
}

const day_ms = 24 * 3600_000;

/**
 * The value of each setting that the configuration omits.
 *
 * @example const { monitorPeriod_ms } = { ...defaultConfiguration, ...configuration };
 */
export const defaultConfiguration: Required<ComputeConfiguration> = {
  monitorPeriod_ms: 60_000,
  stuckAfter_ms: 30 * 60_000,
  historyRetention_ms: 90 * day_ms,
};
