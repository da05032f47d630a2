/** Every limit of the platform, with the reason beside the number. */
export const limits = {
  /** Kubernetes' limit for names, which must stay usable as file and DNS names. */
  nameLength: 253,
  /** Kubernetes' limit for label values and the name part of keys. */
  labelLength: 63,
  /** Kubernetes' limit for all annotations of one object together. */
  annotationsBytes: 256 * 1024,
  /** Below etcd's request limit of 1.5 MiB, so that an object that fits here fits there. */
  objectBytes: 1024 * 1024,
  /** A page is read in one go on the event loop: 500 objects of 2 KB take about a millisecond. */
  pageItems: 500,
  /** Text of objects that is read in one go: parsing it takes some milliseconds, whatever the size of the objects. */
  readBytes: 512 * 1024,
  /** A body larger than any object we store is refused before it is read. */
  bodyBytes: 1024 * 1024,
  /** The original's request deadline; longer work belongs in a controller. */
  requestTimeout_ms: 30_000,
  /**
   * After this time, a mark that closes an object for its deletion was left by a process that died: requests do not
   * last as long.
   */
  closing_ms: 35_000,
  /**
   * Text of objects that a store keeps parsed for the next reader: some eight thousand objects. In memory they take
   * three to five times as much.
   */
  recentBytes: 16 * 1024 * 1024,
  /** Events held in memory for watchers that are nearly up to date; one further behind reads the durable log. */
  recentChanges: 10_000,
  /**
   * The text of those events, which take about three times as much memory: some eight thousand of the usual 2 KB fit,
   * and sixteen of the largest objects.
   */
  recentChangesBytes: 8 * 1024 * 1024,
  /** Changes kept on disk so that a watcher can resume; older ones are compacted and answer "expired". */
  retainedChanges: 100_000,
  /**
   * The text of those changes. Some 65,000 changes of 2 KB fit, which is minutes of the heaviest load; of the largest
   * objects there are still more than a hundred.
   */
  retainedChangesBytes: 128 * 1024 * 1024,
  /**
   * The text of the changes that one watch holds ahead of its reader, one change at least: about a hundred of the usual
   * size.
   */
  watchPageBytes: 256 * 1024,
  /** Whether the store can be written is tried at most this often, however many ask whether it is ready. */
  writeProbe_ms: 5_000,
  /**
   * A state up to this size is examined before it is opened: a few tenths of a second. A larger one is examined while
   * it is served.
   */
  promptExaminationBytes: 128 * 1024 * 1024,
  /** The fallback of a yield; the normal path is a wake-up by event. */
  yield_ms: 10_000,
  /**
   * First and longest pause after an unexpected error: quick enough to hide a blip, slow enough not to hammer a broken
   * provider.
   */
  backoffMin_ms: 1_000,
  backoffMax_ms: 60_000,
  /** Settled objects are looked at again this often, so that drift nobody reported is found. */
  resync_ms: 10 * 60_000,
  /** A lease not renewed for this long may be taken by another process. */
  lease_ms: 15_000,
  /** Reconciles of one controller under way at once: they mostly wait for the store or a provider. */
  reconciles: 128,
  /**
   * Of those, how many give way to each request that is being answered: some dozens of requests keep the processor busy
   * by themselves.
   */
  reconcilesPerRequest: 2,
  /**
   * Requests that are worked on at once. More only wait for each other on the event loop; those that wait here are let
   * in by turns of their callers.
   */
  requestsAtWork: 16,
  /**
   * A request keeps others out for this long at most: one that takes longer waits for the disk or a cloud, not for the
   * processor.
   */
  atWork_ms: 100,
  /**
   * A caller who goes on although they were refused is refused again after this time: they wait, and the others get the
   * processor.
   */
  refusal_ms: 250,
  /** So much of a request's body counts as one more request: reading, checking and storing it takes as long. */
  bodyBytesPerRequest: 4 * 1024,
  /**
   * So much of a list counts as one more request. A list is answered whole, and its caller waits longer before the next
   * request is taken.
   */
  listBytesPerRequest: 32 * 1024,
  /** Nobody waits longer than this for what they were given before. */
  debt_ms: 5_000,
  /** Refusals of everybody together that wait like this. More than that are sent at once. */
  heldRefusals: 1_000,
  /**
   * How many go on however many requests wait: enough that nothing stands still, few enough that people hardly notice.
   */
  reconcilesReserved: 3,
  /**
   * Reconciles give way to a request for this long: one that takes longer waits for somebody else, not for the
   * processor.
   */
  precedence_ms: 1_000,
  /**
   * And for this long after its answer at most: the time a client on the other side of a continent needs to ask for the
   * next thing.
   */
  aftermath_ms: 50,
  /**
   * After losing a race for an object: long enough for the winner's change to arrive, short enough not to be noticed.
   */
  conflict_ms: 100,
  /** Races lost in a row before they count as an error: contention passes, a defect stays. */
  conflictsInARow: 10,
  /** What runs is given this long to finish when a process stops; the same as requests get. */
  drain_ms: 10_000,
  /** A burst of work lets everything else run at least this often. */
  burst_ms: 5,
  /**
   * Failures in a row after which an undo is reported as needing a person: half a minute of backoff hides no outage
   * longer than a blip.
   */
  sagaStuckAttempts: 5,

  // What an answer holds while it is written, so that it is never in memory as a whole.

  /** Objects of a list that are read, presented and written in one piece of work: some milliseconds. */
  listedItems: 100,
  /** The same in bytes, for objects that are large. */
  listedBytes: 256 * 1024,
  /** An answer up to this size is sent in one go, with its length; a longer one in chunks of about this size. */
  chunkBytes: 64 * 1024,
  /**
   * A page that a client asks for by `limit` ends early at this size: it is held whole, because its header names the
   * next one.
   */
  pageBytes: 2 * 1024 * 1024,
  /** Text of presented objects that is kept for the next list: some thirty thousand instances. */
  presentedBytes: 32 * 1024 * 1024,
  /**
   * What the idempotency keys of one caller take together: some ten thousand requests. Beyond that, the oldest are
   * forgotten early.
   */
  idempotencyBytes: 16 * 1024 * 1024,
  /** Younger keys are never forgotten: a client that repeats a request does so within minutes. */
  idempotencyAge_ms: 10 * 60_000,
  /** A client that does not take a chunk for this long is gone, or holds up memory on purpose. */
  stall_ms: 30_000,

  // What a call of another service over HTTP may take.

  /** Less than the deadline of the request that waits for it, so that this request can still say what went wrong. */
  callTimeout_ms: 20_000,
  /** Connections to one service: an answer takes milliseconds, so these carry thousands of calls a second. */
  callConnections: 64,
  /** An answer that is larger is a mistake: the longest lists of a service take some ten megabytes. */
  callAnswerBytes: 64 * 1024 * 1024,
} as const;

/** What callers may have under way, and how fast they may ask. Operators can set each of them. */
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
   * About a tenth of what one process does, so that a few callers at their limit leave room for others. Terraform and
   * the command line need some dozens.
   */
  requestsPerSecond: 100,
  /** What may come at once after a pause: a page that reads many things, or a script that begins. */
  requestBurst: 300,
  /** Requests of one caller under way: a client that waits for answers before it asks on has some dozens. */
  requests: 128,
  /** Requests without a token, or with a bad one, from one address: logins of a whole office behind one address. */
  anonymousPerSecond: 100,
  /** What may come at once from one address after a pause. */
  anonymousBurst: 300,
  /** Requests without a token from one address under way. */
  anonymousRequests: 64,
  /** Watch streams of one caller: some for each open page of a console, and for each waiting command. */
  streams: 32,
  /** Lists of one caller that do not fit into a chunk. Each holds about a megabyte while it is written. */
  longAnswers: 16,
  /** Of everybody together. Each request under way holds its body, a megabyte at most. */
  totalRequests: 1_024,
  /** Each remembers what it has shown: some 100 bytes for every object in it. */
  totalStreams: 1_024,
  /** Long lists of everybody together. */
  totalLongAnswers: 128,
};

/** Nothing is refused: for tests, and for servers behind something that counts. */
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
 * How much a caller may put into each field of a request. Longer input is refused with 400, which names the field and
 * the limit; the API documents show the limits. Lists that a rule of a kind walks over also need a limit in Kubernetes,
 * and the cost of a rule that compares items with each other grows with the square.
 */
export const fieldLimits = {
  /** A name is stored as a label. */
  name: limits.labelLength,
  /** Some pages of text. Every list of the resource carries it. */
  description: 4_096,
  /** As many as the large clouds allow, and some for tools: Terraform adds one with every update. */
  tags: 64,
  /** The name of a tool's domain and something of its own, such as Terraform's. */
  tagName: 255,
  /** A word, an address or a sentence. Every list of the resource carries it. */
  tagValue: 512,
  /** Our own services mark what they make for a user beside the user's tags. */
  serviceTags: 64 + 8,
  /**
   * No object's id is longer than a name may be. Ours are UUIDs; those of clouds and of older clients are free texts.
   */
  id: limits.nameLength,
  /** Identifiers that the platform gives. */
  uuid: 36,
  /** The longest mail address. */
  subject: 320,
  /** The longest URL that browsers and proxies take without trouble. */
  url: 2_048,
  /** The longest name that DNS has. */
  hostname: 253,
  /** What OpenID providers hand out as identifiers and secrets; they are sent in one line. */
  clientId: 1_024,
  /** Some providers use a signed token as the secret. */
  clientSecret: 4_096,
  /** A word or two, such as the name of a driver or of an operating system. */
  words: 255,
  /** An OpenSSH key: the longest RSA key takes 2,800 characters, the rest is for a comment. */
  publicKey: 8_192,
  /**
   * What the metadata service of a cloud hands out, in base64; more would be refused there, once the server is long
   * accepted.
   */
  userData: 65_535,
  /** An address or prefix in some form; a handler says what is wrong with it. */
  prefix: 64,
  /** Members of a group. More people share roles through several groups. */
  members: 10_000,
  /** Groups of a project, a user or a service account. */
  groups: 1_000,
  /** There are about a dozen roles; a deployment may add some. */
  roles: 256,
  /** Kinds of quota in one request; there are eight. */
  quotaKinds: 100,
  /** Values of one filter in a query, and the length of a URL that holds them. */
  filterValues: 100,
  /** Resolvers use three; more only serves to tell them apart. */
  nameservers: 16,
  /** More than three times what a subnet takes in a stock OpenStack. */
  routes: 64,
  /** Each becomes a call to the provider. */
  securityRules: 256,
  /** Ports with more groups than this are slow on every cloud. */
  securityGroups: 32,
  /** Source addresses besides its own that a machine may send from; each is a rule at its port. */
  addressPairs: 64,
  /** Disks are named by a letter. */
  volumes: 26,
  /** Listeners of a load balancer. Each is a port of its own at the cloud. */
  listeners: 32,
  /** Members of a load balancer's pool. Each is a health check that the balancer runs all the time. */
  poolMembers: 128,
  /** Who may connect to a listener. Each is a rule at the cloud. */
  allowedCidrs: 128,
  /** Networks that a file storage is attached to. Each takes addresses of its network. */
  attachments: 32,
  /** What people may define; one more is the platform's own. */
  snapshotPolicies: 4,
  /** Programs of an image whose version is said. */
  softwareVersions: 64,
  /** Models of GPUs that an image is made for; more than any vendor has on sale. */
  gpuModels: 64,
  /** Far more than the simulated catalogue has. */
  flavors: 64,
  /** Regions are private to a few customers, or public. */
  organizations: 1_024,
} as const;

/**
 * How many objects there may be of the kinds that have no quota. An operator can set each. The count is taken before
 * the object is stored, so a burst of creations can exceed it by as many as are under way at once.
 */
export const objectLimits = {
  /** Projects of an organization. */
  projects: 1_000,
  /** Groups of an organization: all of them are read to say what a member may do. */
  groups: 1_000,
  /** Users of an organization. */
  users: 10_000,
  /** Service accounts of an organization. */
  serviceAccounts: 1_000,
  /** Login providers of an organization: the login page shows each. */
  oauth2Providers: 32,
  /** SSH certificate authorities of an organization. */
  sshCertificateAuthorities: 1_000,
  /** Security groups of a network: each becomes one at the cloud. */
  securityGroups: 256,
  /** Images of an organization in one region: each takes as much room as a disk. */
  images: 256,
} as const;

export type ObjectLimits = Readonly<Record<keyof typeof objectLimits, number>>;
