/** How long things are waited for, how often they are asked for, and how old they may be. */
export const waits = {
  /** How long a request waits for an image server, redirects included. */
  imageProbe_ms: 5_000,
  /** How old the shown use of file storage may be. Nothing tells us when files are written. */
  storageUsage_ms: 60_000,
  /**
   * How soon to ask again for something that a server needs and the provider does not have. Its own controller repairs
   * it.
   */
  missingNeed_ms: 5_000,
  /** As often as a server that is being built is looked at. A list that is younger tells as much as a new one. */
  buildingList_ms: 1_000,
  /** How soon to look again at a server that the provider is busy with. */
  busyServer_ms: 2_000,
  /** At once, in a pass of its own: what was decided is stored by then. */
  next_ms: 0,
  /** The monitor wakes a controller that waits for it. This is for when the monitor does not run. */
  seek_ms: 60_000,
  /** Nothing wakes us when a cloud is done, so it is asked again soon. */
  busyProvider_ms: 1_000,
  /**
   * A strange claim of a cloud is not believed for this long: longer than the restart of a service that lost its
   * database for a moment.
   */
  doubt_ms: 60_000,
  /**
   * How soon to ask again after a failure. A blip is over soon; room and quota come back when somebody releases them.
   */
  failure_ms: { soon: 5_000, later: 30_000 },
  /** For this long after a removal from here, the loss is no surprise: a cloud may take its time. */
  aftermath_ms: 60_000,
  /** For this long an answer about the catalogue is as good as a new one, so that a burst of creations asks once. */
  catalogue_ms: 1_000,
} as const;

/** How many there may be, and how many are read or shown at once. */
export const limits = {
  /** Enough to tell whether something is owned at all. */
  ownedPage: 100,
  /** Servers that are read at once to find users. Most questions need only the first few. */
  usersPage: 100,
  /** How many of the things in a region a refusal to delete it names. */
  inhabitantsShown: 5,
  /** Redirects of an image server that are followed. Mirrors use one or two. */
  imageRedirects: 5,
  /** More networks than file storage can be attached to. What a change left behind is among them. */
  storageNetworks: 1_000,
  /** More queries than organizations ask in an hour. Each remembers a list of some kilobytes. */
  catalogueQueries: 1_000,
} as const;
