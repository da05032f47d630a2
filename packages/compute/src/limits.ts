/** How long things are waited for, how often they are asked for, and how old they may be. */
export const waits = {
  /**
   * For how long a machine is searched before it is made again, and how soon it is searched again while its absence is
   * in doubt.
   */
  absence_ms: { searching: 10_000, doubted: 30_000 },
  /** The count behind the brake looks at every instance of a region, so it is kept for a moment. */
  brakeCount_ms: 5_000,
  /** At once, in a pass of its own: what was announced is stored by then. */
  next_ms: 0,
  /** How soon a status says that it waits for a new machine. A machine that takes less time needs no message. */
  announcement_ms: 2_000,
  /** A status is at most this much older than what region last said. */
  staleStatus_ms: 60_000,
  /** Nothing wakes the controller when region is back, or when what region refused has become possible. */
  refusal_ms: { away: 10_000, refused: 60_000 },
} as const;

/** How many there may be, and how many are read or shown at once. */
export const limits = {
  /** More than an instance can hold at once. What a change left behind is among them. */
  heldReferences: 1_000,
} as const;
