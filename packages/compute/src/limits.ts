/** Delays, intervals and tolerated ages, with their reasons. */
export const waits = {
  /**
   * How long a missing machine is searched before it is recreated, and the interval of the search while its loss is in
   * doubt.
   */
  absence_ms: { searching: 10_000, doubted: 30_000 },
  /** The brake counts every instance of a region, so its result is cached for a short time. */
  brakeCount_ms: 5_000,
  /** Immediately, in the next pass. The announcement is stored before that. */
  next_ms: 0,
  /** When a status begins to show that it waits for a new machine. A faster machine needs no message. */
  announcement_ms: 2_000,
  /** How much older a status may be than region's last report. */
  staleStatus_ms: 60_000,
  /** The controller is not woken when region is reachable again, or when region would accept a refused request. */
  refusal_ms: { away: 10_000, refused: 60_000 },
  /** Entries are written within this time. A killed process may have lost the entries of this time. */
  unrecorded_ms: 15_000,
} as const;

/** Maximum numbers and page sizes. */
export const limits = {
  /** More than an instance can have at once, including references that a change left behind. */
  heldReferences: 1_000,
  /** Longer than any token that compute creates. */
  planTokenLength: 128,
  /** The number of objects that are checked before other work gets its turn. A page of a list has the same size. */
  surveyBurst: 500,
  /** Findings in one response. An operator solves the first ones first. */
  findingsListed: 500,
  /**
   * The maximum number of findings per checker that one pass logs one by one. The log must stay readable when many
   * instances have problems.
   */
  findingsTold: 20,
} as const;
