/** Every limit of the platform, with its reason. */
export const limits = {
  /** Kubernetes' limit for names, which must be valid file and DNS names. */
  nameLength: 253,
  /** Kubernetes' limit for label values and the name part of keys. */
  labelLength: 63,
  /** Kubernetes' limit for all annotations of one object together. */
  annotationsBytes: 256 * 1024,
  /** Below etcd's request limit of 1.5 MiB, so that an object that fits here fits there. */
  objectBytes: 1024 * 1024,
  /** A page is read without a pause on the event loop: 500 objects of 2 KB take about a millisecond. */
  pageItems: 500,
  /**
   * Size of the objects that are read without a pause: parsing takes some milliseconds, whatever the size of the
   * objects.
   */
  readBytes: 512 * 1024,
  /** A body that is larger than any stored object is refused before it is read. */
  bodyBytes: 1024 * 1024,
  /** Request deadline of the original Unikorn. Longer work belongs in a controller. */
  requestTimeout_ms: 30_000,
  /**
   * A mark that closes an object for its deletion is ignored after this time: the process that wrote it has died,
   * because requests do not take this long.
   */
  closing_ms: 35_000,
  /**
   * Size of the objects that a store keeps parsed for later reads: some eight thousand objects. In memory they take
   * three to five times as much.
   */
  recentBytes: 16 * 1024 * 1024,
  /**
   * Events in memory for watchers that are nearly up to date. Watchers that are further behind read the log on disk.
   */
  recentChanges: 10_000,
  /**
   * Total size of those events. They take about three times as much memory: some eight thousand of the usual 2 KB fit,
   * or sixteen of the largest objects.
   */
  recentChangesBytes: 8 * 1024 * 1024,
  /**
   * Changes kept on disk so that a watcher can resume. Older changes are removed, and a watch from them gets the error
   * "expired".
   */
  retainedChanges: 100_000,
  /**
   * Total size of those changes. Some 65,000 changes of 2 KB fit, which is minutes of the heaviest load. Of the largest
   * objects, more than a hundred fit.
   */
  retainedChangesBytes: 128 * 1024 * 1024,
  /**
   * Size of the recent changes of one kind that a process keeps if its store is Kubernetes, which has older ones. There
   * are about forty kinds, and few of them change often.
   */
  kindChangesBytes: 2 * 1024 * 1024,
  /** Size of the objects that one request to a Kubernetes API server lists: parsing takes some milliseconds. */
  listChunkBytes: 1024 * 1024,
  /** Size of the changes that one watch reads ahead, at least one change: about a hundred of the usual size. */
  watchPageBytes: 256 * 1024,
  /** The readiness check writes to the store at most this often, whatever the number of checks. */
  writeProbe_ms: 5_000,
  /**
   * A state up to this size is checked before it is opened: a few tenths of a second. A larger one is checked while the
   * server runs.
   */
  promptExaminationBytes: 128 * 1024 * 1024,
  /** Maximum wait after a yield. Usually an event wakes the object earlier. */
  yield_ms: 10_000,
  /**
   * Shortest and longest pause after an unexpected error: short enough to hide a brief failure, long enough not to
   * overload a broken provider.
   */
  backoffMin_ms: 1_000,
  backoffMax_ms: 60_000,
  /** Objects that are up to date are reconciled again this often, to find changes without an event. */
  resync_ms: 10 * 60_000,
  /**
   * A lease that was not renewed for this long may be taken by another process: with some time for the takeover, work
   * goes on within 15 seconds after a process was killed.
   */
  lease_ms: 12_000,
  /** Concurrent reconciles of one controller. They mostly wait for the store or a provider. */
  reconciles: 128,
  /**
   * Each API request in progress reduces the number of concurrent reconciles by this many: some dozens of requests use
   * the whole CPU.
   */
  reconcilesPerRequest: 2,
  /**
   * Requests that run at the same time. More would only wait for each other on the event loop. Waiting requests are
   * admitted in turns, one caller after the other.
   */
  requestsAtWork: 16,
  /**
   * A request occupies its place for this long at most: a longer one waits for the disk or a provider, not for the CPU.
   */
  atWork_ms: 100,
  /**
   * Delay of the response when a caller continues to send requests after a refusal: the caller has to wait, and others
   * get the CPU.
   */
  refusal_ms: 250,
  /** This much of a request body counts as one more request, because reading, checking and storing it takes as long. */
  bodyBytesPerRequest: 4 * 1024,
  /**
   * This much of a list counts as one more request. The list is sent completely, and the caller waits longer before the
   * next request.
   */
  listBytesPerRequest: 32 * 1024,
  /** Maximum time that a caller waits because of its earlier requests. */
  debt_ms: 5_000,
  /** Maximum number of delayed refusals of all callers together. Further refusals are sent at once. */
  heldRefusals: 1_000,
  /**
   * Concurrent reconciles that always run, whatever the number of requests: enough to make progress, few enough not to
   * slow down requests.
   */
  reconcilesReserved: 3,
  /**
   * A request reduces the number of reconciles for this long at most: a longer one waits for another system, not for
   * the CPU.
   */
  precedence_ms: 1_000,
  /**
   * The reduction continues for this long after the response: the time in which a client in the same continent sends
   * its next request.
   */
  aftermath_ms: 50,
  /**
   * Pause after a lost write race for an object: long enough for the other change to arrive, short enough not to be
   * noticed.
   */
  conflict_ms: 100,
  /** Lost races in a row that count as an error: contention ends by itself, a bug does not. */
  conflictsInARow: 10,
  /** Time for work in progress to finish when a process stops; requests get the same. */
  drain_ms: 10_000,
  /** Maximum duration of a burst of work before other work can run. */
  burst_ms: 5,
  /**
   * Failures in a row after which an undo is reported to operators: with the backoff this is half a minute, longer than
   * a brief failure.
   */
  sagaStuckAttempts: 5,

  // Limits for the memory of a response while it is written, so that it is never in memory as a whole.

  /** Objects of a list that are read, presented and written without a pause: some milliseconds. */
  listedItems: 100,
  /** The same limit in bytes, for large objects. */
  listedBytes: 256 * 1024,
  /** A response up to this size is sent at once, with its length. A longer one is sent in chunks of about this size. */
  chunkBytes: 64 * 1024,
  /**
   * A page with `limit` ends early at this size. It is kept in memory as a whole, because its header names the next
   * page.
   */
  pageBytes: 2 * 1024 * 1024,
  /** Size of the presented objects that are cached for the next list: some thirty thousand instances. */
  presentedBytes: 32 * 1024 * 1024,
  /**
   * Total size of the idempotency keys of one caller: some ten thousand requests. Beyond that, the oldest are deleted
   * early.
   */
  idempotencyBytes: 16 * 1024 * 1024,
  /** Younger keys are never deleted early: a client repeats a request within minutes. */
  idempotencyAge_ms: 10 * 60_000,
  /** A client that does not read a chunk for this long has gone away, or occupies memory on purpose. */
  stall_ms: 30_000,

  // Limits for terminals and other two-way connections.

  /** The largest frame. A pasted page is some kilobytes. */
  linePieceBytes: 64 * 1024,
  /** Bytes that wait for a slow side before the other side is no longer read. */
  lineBufferBytes: 128 * 1024,
  /** Lines of one caller: a few windows of a console. */
  linesPerCaller: 16,
  /** Lines to one object: a few people who look at the same machine. */
  linesPerObject: 8,

  // Limits for calls of another service over HTTP.

  /** Shorter than the deadline of the waiting request, so that this request can still report the error. */
  callTimeout_ms: 20_000,
  /** Connections to one service. A response takes milliseconds, so these carry thousands of calls per second. */
  callConnections: 64,
  /** A larger response is an error: the longest lists of a service take some ten megabytes. */
  callAnswerBytes: 64 * 1024 * 1024,
} as const;

/** Limits of concurrent requests and request rates. Operators can set each of them. */
export interface TrafficLimits {
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  readonly requests: number;
  readonly anonymousPerSecond: number;
  readonly anonymousBurst: number;
  readonly anonymousRequests: number;
  readonly streams: number;
  readonly longAnswers: number;
  readonly totalRequests: number;
  readonly totalStreams: number;
  readonly totalLongAnswers: number;
}

export const trafficLimits: TrafficLimits = {
  /**
   * About a tenth of the capacity of one process, so that a few callers at their limit leave room for others. Terraform
   * and the command line need some dozens.
   */
  requestsPerSecond: 100,
  /**
   * Requests that may come at once after a pause, such as from a page that reads many resources, or a script that
   * starts.
   */
  requestBurst: 300,
  /** Concurrent requests of one caller. A client that waits for responses has some dozens. */
  requests: 128,
  /**
   * Requests per second without a valid token from one address: enough for the logins of a whole office behind one
   * address.
   */
  anonymousPerSecond: 100,
  /** Requests that may come at once from one address after a pause. */
  anonymousBurst: 300,
  /** Concurrent requests without a token from one address. */
  anonymousRequests: 64,
  /** Watch streams of one caller: some for each open page of a console, and for each waiting command. */
  streams: 32,
  /** Concurrent lists of one caller that are larger than a chunk. Each takes about a megabyte while it is written. */
  longAnswers: 16,
  /** Concurrent requests of all callers. Each holds its body, a megabyte at most. */
  totalRequests: 1_024,
  /** Watch streams of all callers. Each stores some 100 bytes for every object in it. */
  totalStreams: 1_024,
  /** Concurrent long lists of all callers. */
  totalLongAnswers: 128,
};

/** No request is refused: for tests, and for servers behind another rate limiter. */
export const unlimitedTraffic: TrafficLimits = {
  requestsPerSecond: Infinity,
  requestBurst: Infinity,
  requests: Infinity,
  anonymousPerSecond: Infinity,
  anonymousBurst: Infinity,
  anonymousRequests: Infinity,
  streams: Infinity,
  longAnswers: Infinity,
  totalRequests: Infinity,
  totalStreams: Infinity,
  totalLongAnswers: Infinity,
};

/**
 * Size limits of the fields of a request. Longer input is refused with 400 and a message that names the field and the
 * limit. The API documents show the limits. In Kubernetes, lists that a rule iterates over need a limit too, and the
 * cost of a rule that compares items with each other grows with the square.
 */
export const fieldLimits = {
  /** A name is stored as a label. */
  name: limits.labelLength,
  /** Some pages of text. Every list of the resource contains it. */
  description: 4_096,
  /** As many as the large clouds allow, and some for tools: Terraform adds one with every update. */
  tags: 64,
  /** The domain of a tool and a name, such as Terraform uses. */
  tagName: 255,
  /** A word, an address or a sentence. Every list of the resource contains it. */
  tagValue: 512,
  /** Our own services add tags to the user's tags on objects that they create for a user. */
  serviceTags: 64 + 8,
  /** An id is never longer than a name. Ours are UUIDs; those of providers and of older clients can be any text. */
  id: limits.nameLength,
  /** Identifiers that the platform creates. */
  uuid: 36,
  /** The longest mail address. */
  subject: 320,
  /** The longest URL that browsers and proxies support reliably. */
  url: 2_048,
  /** The longest DNS name. */
  hostname: 253,
  /** Identifiers and secrets from OpenID providers, which are sent in one line. */
  clientId: 1_024,
  /** Some providers use a signed token as the secret. */
  clientSecret: 4_096,
  /** A word or two, such as the name of a driver or of an operating system. */
  words: 255,
  /** An OpenSSH key: the longest RSA key takes 2,800 characters, the rest is for a comment. */
  publicKey: 8_192,
  /**
   * The limit of a cloud's metadata service, in base64. Without this limit, the provider would refuse the data after
   * the server is accepted.
   */
  userData: 65_535,
  /** An address or prefix in any form. The handler reports what is wrong with it. */
  prefix: 64,
  /** Members of a group. Larger teams can use several groups. */
  members: 10_000,
  /** Groups of a project, a user or a service account. */
  groups: 1_000,
  /** There are about a dozen roles, and a deployment may add some. */
  roles: 256,
  /** Kinds of quota in one request; there are eight. */
  quotaKinds: 100,
  /** The text of a search. A name is shorter, and a mail address seldom longer. */
  search: 256,
  /** Values of one filter in a query; it also limits the length of the URL. */
  filterValues: 100,
  /** Resolvers use three. */
  nameservers: 16,
  /** More than three times the limit of a subnet in a default OpenStack. */
  routes: 64,
  /** Each becomes a call to the provider. */
  securityRules: 256,
  /** Ports with more groups than this are slow on every cloud. */
  securityGroups: 32,
  /** Source addresses besides its own that a machine may send from. Each is a rule at its port. */
  addressPairs: 64,
  /** Disks are named by a letter. */
  volumes: 26,
  /** Listeners of a load balancer. Each is a port of its own at the provider. */
  listeners: 32,
  /** Members of a load balancer's pool. The load balancer checks the health of each one continuously. */
  poolMembers: 128,
  /** CIDR blocks that may connect to a listener. Each is a rule at the provider. */
  allowedCidrs: 128,
  /** Networks that a file storage is attached to. Each uses addresses of its network. */
  attachments: 32,
  /** Policies that users may define. The platform adds one of its own. */
  snapshotPolicies: 4,
  /** Programs of an image with a declared version. */
  softwareVersions: 64,
  /** GPU models that an image supports; more than any vendor sells. */
  gpuModels: 64,
  /** Far more than the simulated catalogue has. */
  flavors: 64,
  /** Organizations that may use a private region. */
  organizations: 1_024,
} as const;

/**
 * Maximum number of objects of the kinds without a quota. Operators can set each of them. The objects are counted
 * before the new one is stored, so concurrent requests can exceed the limit by a few.
 */
export const objectLimits = {
  /** Projects of an organization. */
  projects: 1_000,
  /** Groups of an organization. All of them are read to compute the permissions of a member. */
  groups: 1_000,
  /** Users of an organization. */
  users: 10_000,
  /** Service accounts of an organization. */
  serviceAccounts: 1_000,
  /** Login providers of an organization. The login page shows each one. */
  oauth2Providers: 32,
  /** SSH certificate authorities of an organization. */
  sshCertificateAuthorities: 1_000,
  /** Security groups of a network. Each becomes one at the provider. */
  securityGroups: 256,
  /** Images of an organization in one region. Each takes as much space as a disk. */
  images: 256,
} as const;

export type ObjectLimits = Readonly<Record<keyof typeof objectLimits, number>>;

/** How long things are waited for, how often they are done, and how old they may be. */
export const waits = {
  /** Histories are kept for days, so an hour more does not matter. */
  historySweep_ms: 3600_000,
  /**
   * How long entries of an object are collected. While many objects change, some seconds save most of the writes. While
   * few change, they are written as soon as there was no new entry for a moment.
   */
  historyGather_ms: { busy: 5_000, calm: 200 },
  /** A response depends on more objects than the watched one, so it is also computed again this often. */
  followedRefresh_ms: 5_000,
  /** Minimum time between two responses of a stream. It limits the cost of an object that changes all the time. */
  followedPause_ms: 500,
  /**
   * Long enough for a client that was offline overnight to retry, and short enough to keep the number of records small.
   */
  idempotency_ms: 24 * 3600_000,
  /** Short enough that no proxy closes the connection as idle. */
  heartbeat_ms: 15_000,
  /**
   * How often the access of the caller of a stream is checked. Together with the time for which another process caches
   * access, a withdrawn right ends a stream within five seconds.
   */
  reauthorization_ms: 2_000,
  /** A terminal in which nothing happens for this long was forgotten. */
  lineIdle_ms: 30 * 60_000,
  /** How long the other side may take to confirm the end of a line. */
  lineClose_ms: 2_000,
  /** Certificates are renewed days before they expire, and reading three small files costs nothing. */
  certificateFiles_ms: 10_000,
  /** Short enough to detect a burst before it fills the memory. */
  pressureSample_ms: 500,
  /**
   * A process that does nothing for this long stood still. Shorter than clients wait for an answer, and longer than a
   * process waits for a busy machine.
   */
  standstill_ms: 5_000,
  standstillBeat_ms: 1_000,
  /** All requests that waited in connections during a standstill are read in this time after it. */
  standstillArrivals_ms: 1_000,
  /** How often old idempotency records are deleted. They are kept for a day, so an hour more does not matter. */
  idempotencySweep_ms: 3600_000,
  /** A check that does not return in time counts as failed. */
  readinessCheck_ms: 5_000,
  /** A user waits for the result, so a name server that does not answer must not take long. */
  textRecords_ms: 3_000,
  /** Waiting time for the rare moment in which another connection checkpoints the log. */
  lockedStore_ms: 1_000,
  /** After this long without a write, the log is checkpointed, so that no write has to wait for it. */
  idleWriter_ms: 1_000,
  /** Waiting time for the rare moment in which the server checkpoints its log. */
  backupLock_ms: 5_000,
  /** Waiting time for the rare moment in which the server checkpoints its log. */
  examinationLock_ms: 5_000,
  /** The database size is measured at most this often, because a measurement takes as long as reading an object. */
  measuring_ms: 1_000,
  /** About as often as Kubernetes. */
  bookmark_ms: 60_000,
  /** A Kubernetes API server answers within milliseconds. A connection without an answer for this long is dead. */
  kubernetesAttempt_ms: 10_000,
  /** The first pause before a request to a Kubernetes API server is repeated. */
  kubernetesPauseMin_ms: 50,
  /** The longest pause: short enough to notice soon that the API server is back. */
  kubernetesPauseMax_ms: 2_000,
  /** A warning that says the same as before. An operator who reads the log of the last minutes still sees it. */
  repeatedWarning_ms: 5 * 60_000,
  /**
   * A cache of the Kubernetes engine gets a change within milliseconds. A list that has waited this long for a change
   * of its own process asks the API server.
   */
  kubernetesCache_ms: 1_000,
  /** A watch that is silent for this long is probed, so that a dead connection is noticed within 15 seconds. */
  kubernetesKeepAlive_ms: 5_000,
  /** An API server sends a bookmark every minute, so a watch without any data for this long is dead. */
  kubernetesSilence_ms: 90_000,
  /** How long one watch of an API server lasts, before it is opened again: up to twice as long, as in other clients. */
  kubernetesWatch_ms: 5 * 60_000,
  /** Kubernetes renews the token of a service account minutes before it expires. */
  serviceAccountToken_ms: 60_000,
  /**
   * If no other process can use the store, the renewal only records how long this process lived, for the next start.
   */
  soleRenewal_ms: 60_000,
  /** A turn of the event loop without other work takes no longer than this. */
  quiet_ms: 0.2,
} as const;

/** Sizes of caches, batches and pages, and numbers of attempts. Callers do not notice them. */
export const internalLimits = {
  /** Users of a resource that a message names: as many as fit into one line. The next message names others. */
  shownUsers: 5,
  /** Holders of a resource that are searched for an explanation. If there are more, the message says "at least". */
  holders: 100,
  /** Users that the message of a waiting deletion names; the others are counted. */
  waitedNames: 3,
  /** Label keys that are known to be valid. Nearly all objects have the same few dozen keys. */
  knownLabelKeys: 500,
  /** Page size: most callers do not need all references. */
  referencesPage: 100,
  /** Attempts before a change is given up because other writers keep changing the object. */
  closingAttempts: 64,
  /**
   * Concurrent claims of saga runs for one user. More do not occur; if there were more, the oldest would be dropped,
   * and the reference would stay.
   */
  claimsKept: 8,
  /** Attempts before a change is given up because other writers keep changing the object. */
  holdAttempts: 64,
  /** A number of writes that fit well into one commit. */
  migrationBatch: 200,
  /** A number of requests that keep the connections to an API server busy. */
  transferBatch: 64,
  /** Attempts before a change is given up because other writers keep changing the object. */
  modifyAttempts: 64,
  /** Controllers write annotations only a few times while an object is provisioned. */
  itemAttempts: 8,
  /** Objects removed in one batch, so that other work can run in between. */
  historySweepBatch: 100,
  /** How many days before the retention time are searched. A platform is not switched off for longer than this. */
  historySweep_days: 366,
  /** Entries of a page of a history: enough for one screen of a reader, and at most what a response holds well. */
  historyPage: { most: 1_000, usual: 100 },
  /** A page of a history continues before a time. A timestamp is shorter. */
  historyTokenLength: 64,
  /** Entries of a page of the activity: fewer than of a history, because each entry also names its resource. */
  activityPage: { most: 500, usual: 100 },
  /** A token of the activity has a position in each list of the store that the caller may see. */
  activityTokenLength: 16 * 1024,
  /**
   * Maximum size of one write of a history: more than a controller produces in some seconds, and far below the limit of
   * an object.
   */
  historyWrite: { entries: 200, bytes: 64 * 1024 },
  /** Maximum size of a day of one history: more than people and a healthy controller do in a day. */
  historyDay: { entries: 2_000, bytes: 512 * 1024 },
  /** Up to this many objects with unwritten entries count as few. Then entries are written after a moment. */
  historyFewPending: 16,
  /** An object with this many unwritten entries is written at once. It is half of what one write can hold. */
  historyManyEntries: 100,
  /** Longer than all our own messages. Messages of providers are cut. */
  historyMessageLength: 1_000,
  /** Number of objects for which it is remembered that their history has begun. */
  historyObjects: 50_000,
  /** Maximum number of parts that are read for a page. The page is short if few of them contain requests. */
  activityParts: 500,
  /** Parts that are listed at once. */
  activityBatch: 100,
  /** Objects that are read at once; also how many entries more than wanted are held in memory. */
  historyBatch: 100,
  /** Number of cached part counts, each for one id and day. An entry takes some hundred bytes. */
  historyCounts: 10_000,
  /** How many parts of a day are merged into one. */
  historyPartsPerMerge: 32,
  /**
   * Number of cached credentials of callers that were refused recently. Only a few callers send too much at a time, and
   * tokens are short.
   */
  refusedKept: 1_000,
  /** Longer credentials of refused callers are not cached. Tokens are shorter. */
  refusedLength: 1_024,
  /**
   * Maximum number of accounts in memory. Idle callers have no account, so these are the callers of the last seconds.
   */
  trafficAccounts: 10_000,
  /** Callers whose usage is cached. The usage of others is counted again with their next request. */
  idempotencyCallers: 10_000,
  /** Identifiers in paths are UUIDs and references, which are never longer. */
  pathVariableLength: 1024,
  /** Longer than any request line that is accepted. */
  requestLineBytes: 8 * 1024,
  /** A refusal fits into the first few kilobytes. */
  refusalBytes: 64 * 1024,
  /** Retries of one request. Together with the pauses they are long enough to hide the restart of a service. */
  callRepetitions: 4,
  /** Longer than any token we or an identity provider issue; it keeps garbage away from the verifier. */
  tokenBytes: 8 * 1024,
  /** A 4096 bit RSA certificate in PEM is about 2 KB; URL encoding adds a third. */
  certificateBytes: 16 * 1024,
  /** Enough for a subject and some hundred organizations. */
  principalBytes: 8 * 1024,
  /** Cache of decrypted values: about a hundred user data of the largest size. */
  openedBytes: 16 * 1024 * 1024,
  /**
   * Cached identifiers, because several functions need the id of an object while it is created. Enough for all
   * concurrent creates; some hundred kilobytes.
   */
  rememberedIds: 2_000,
  /** Maximum size of one commit. More would increase the log, which is checkpointed between commits. */
  commitBytes: 16 * 1024 * 1024,
  /**
   * About 32 MiB of log: rare enough to cost little, small enough to be copied back within a few tens of milliseconds.
   */
  checkpointPages: 8_000,
  /** Concurrent tasks: enough to share commits, few enough not to delay other writes. */
  garbageConcurrency: 32,
  /**
   * Enough for the upper levels of the indexes of a million objects: the cost of a look-up then hardly depends on their
   * number.
   */
  readCache_kib: 24 * 1024,
  /** Connections of one process to a Kubernetes API server, without those of its leases and watches. */
  kubernetesConnections: 64,
  /** Connections for leases alone: as many as a process holds, so that they do not wait for each other either. */
  kubernetesLeaseConnections: 16,
  /** Objects of a kind whose last state is remembered, to find out which labels an event changed. */
  kubernetesLastStates: 2_000,
  /** Changes of this process whose previous state is remembered until their event arrives. */
  kubernetesPredecessors: 2_000,
  /** Number of operations after which batches are sent at once, so that the writing thread works in parallel. */
  handOver: 32,
  /** Changes removed in one step: a few milliseconds, in which nothing is committed. */
  compactionStep: 1_000,
  /**
   * Unused pages that stay in the file, 32 MiB: compaction frees about half as many at a time, and they are soon needed
   * again.
   */
  sparePages: 8_192,
  /** Pages that are returned in one step: about ten milliseconds, in which nothing is committed. */
  shrinkingStep: 1_000,
  /** The size of the probe that tests whether writes succeed: larger than nearly every object. */
  probeBytes: 64 * 1024,
  /**
   * Every eighth key is the one that has waited longest, whatever its priority, so that a stream of changes does not
   * starve the others.
   */
  fairShare: 8,
} as const;
