/** Timeouts, retry intervals, and maximum ages of cached data. */
export const waits = {
  /** How long a request waits for an image server, redirects included. */
  imageProbe_ms: 5_000,
  /** How long a request waits for the check of a cloud: less than the deadline of requests. */
  check_ms: 25_000,
  /** How long the result of a check is kept for the request that asks for it again. */
  checkResult_ms: 60_000,
  /** A cloud that has answered nothing at all for this long is silent. Usual calls take seconds. */
  silence_ms: 20_000,
  /** Maximum age of the shown usage of file storage. There is no event when files are written. */
  storageUsage_ms: 60_000,
  /** Maximum age of the shown health of the members of a load balancer. There is no event when it changes. */
  memberHealth_ms: 60_000,
  /**
   * Retry interval for a resource that a server needs and the provider does not have. Its own controller repairs it.
   */
  missingNeed_ms: 5_000,
  /** Maximum age of a list of servers that are being built, so a principal costs at most one list in this time. */
  buildingList_ms: 2_000,
  /** Pause before a server is checked again while the provider is busy with it. */
  busyServer_ms: 2_000,
  /** At once, in a new reconcile: the decision is stored by then. */
  next_ms: 0,
  /** Usually the monitor wakes the controller. This is the fallback if the monitor does not run. */
  seek_ms: 60_000,
  /** There is no event when a cloud has finished, so it is asked again soon. */
  busyProvider_ms: 1_000,
  /**
   * Between the two removals that must find nothing, where the lists of a cloud may be old. It is a little less than
   * the pause before an object is looked at again.
   */
  confirmRemoval_ms: 900,
  /** A removal that was not repeated for this long is forgotten: another process does it, or the region is gone. */
  unconfirmedRemoval_ms: 600_000,
  /**
   * An implausible answer of a cloud is not accepted for this long: longer than the restart of a service that lost its
   * database for a moment.
   */
  doubt_ms: 60_000,
  /**
   * Retry intervals after a failure. Brief failures end soon; capacity and quota become free when other resources are
   * deleted.
   */
  failure_ms: { soon: 5_000, later: 30_000 },
  /** For this long after a removal by the platform, a missing resource is expected: a cloud may need some time. */
  aftermath_ms: 60_000,
  /**
   * For this long after its creation, the platform looks for the moment at which an image becomes ready or fails. Even
   * a large image arrives earlier.
   */
  imageArrival_ms: 24 * 3600_000,
  /** The same failure of a call is recorded once in this time, because controllers repeat calls. */
  sameCall_ms: 600_000,
  /** How long an explanation waits for an answer of the cloud: a person waits for it. */
  explainedCloud_ms: 5_000,
  /** How long a catalogue answer is reused, so that many concurrent creations cause one call. */
  catalogue_ms: 1_000,
} as const;

/** Maximum numbers of objects that are read, shown or kept. */
export const limits = {
  /** Enough to decide whether an object owns anything. */
  ownedPage: 100,
  /** Servers that are read at once to find users. Most callers only need the first few. */
  usersPage: 100,
  /** How many resources of a region are named when its deletion is refused. */
  inhabitantsShown: 5,
  /** Redirects of an image server that are followed. Mirrors use one or two. */
  imageRedirects: 5,
  /** More networks than file storage can be attached to, including those that an earlier change left. */
  storageNetworks: 1_000,
  /** More queries than organizations send in an hour. Each entry is a list of some kilobytes. */
  catalogueQueries: 1_000,
  /** New images whose state is recorded already: more than all tenants create in a day. An entry takes some bytes. */
  newImages: 10_000,
  /** Calls of clouds that were recorded already. */
  rememberedCalls: 10_000,
  /** The changes in a cloud that one step of a controller records: a load balancer with many members makes hundreds. */
  toldChanges: 20,
  /** How often the same change of one resource is recorded in ten minutes. */
  sameChanges: 3,
  /** Only reads up to the boot signature, because a server could send data without end. */
  imageHeadBytes: 512,
  /** More lines than any console keeps. */
  consoleLines: 100_000,
  /** More snapshots than any storage system keeps of one file storage. */
  snapshotsKept: 1_000,
  /** Maximum number of members that are shown. Those with problems come first. */
  shownMembers: 32,
  /** A brief failure is not a reason to doubt a whole region, so it looks twice. */
  looksBeforeGone: 2,
} as const;
