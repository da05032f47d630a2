/** How old answers of the cloud may be, and how long its clock is waited for. The client has limits of its own. */
export const waits = {
  /** How long a list of roles is used. A role that an operator adds is seen after that. */
  roles_ms: 60_000,
  /** Keystone ends all tokens of the second in which a password changes. */
  revocation_ms: 1_100,
  /** How long a secret that was read is used. An operator who replaces it does not want to wait longer. */
  secret_ms: 5_000,
  /** How long a list of flavors is used to check the place of a pinned server. Flavors seldom change. */
  flavors_ms: 3600_000,
  /** After this time, a snapshot that is not in the cloud will not appear any more: it was deleted, or never made. */
  snapshot_ms: 600_000,
  /** For one upload of an image. 100 GiB at 100 Mbit/s take 2.5 hours. */
  upload_ms: 4 * 3600_000,
  /** After this time without a sign of life, another process takes an upload over. */
  uploadLease_ms: 60_000,
  /** After this time, a change of a load balancer counts as stuck. An amphora needs a few minutes to start. */
  stuckBalancer_ms: 15 * 60_000,
  /** Between two attempts to settle a pool that Octavia left pending. */
  poolRenewal_ms: 10_000,
  /** Between the two lists that do not show a network, before its VLAN is given to another one. */
  missingNetwork_ms: 900,
  /** Between the two lists that do not show a server, before it is made with a port that was there before. */
  missingServer_ms: 1_000,
  /** Before an upload that failed is begun again. */
  uploadPause_ms: 10_000,
} as const;

/** How much is done in one call, so that it ends and other resources get their turn. */
export const limits = {
  /** Changes of one load balancer. Some drivers complete a change at once. */
  balancerSteps: 20,
  /** Servers whose last state is remembered, to compare lists with. One takes half a kilobyte. */
  seenServers: 50_000,
  /** Servers that are being built and are remembered. The others cost two calls more at each look. */
  buildingServers: 10_000,
  /** VLANs that the cloud refuses. The next call goes on with others. */
  vlanAttempts: 16,
  /** Uploads of images by one process at the same time. Each needs a megabyte of memory, and much of the network. */
  uploads: 4,
  /** How often an upload is begun, before the image counts as failed. */
  uploadAttempts: 3,
  /** The size of an image that is uploaded. */
  uploadBytes: 200 * 2 ** 30,
  /** Lines of the console output that a terminal begins with: some screens. */
  terminalLines: 200,
  /** Redirects that are followed from the address of an image. */
  uploadRedirects: 5,
} as const;
