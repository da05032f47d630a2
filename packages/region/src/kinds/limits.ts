/**
 * How long the lists of a resource may be. The contract sets no limits, but Kubernetes refuses a rule over a list whose
 * length it cannot bound, and the cost of a rule that compares items with each other grows with the square.
 */
export const listLimits = {
  /** Resolvers use three; more only serves to tell them apart. */
  nameservers: 16,
  /** More than three times what a subnet takes in a stock OpenStack. */
  routes: 64,
  /** Each becomes a call to the provider. */
  securityRules: 256,
  /** Ports with more groups than this are slow on every cloud. */
  securityGroups: 32,
  addressPairs: 64,
  volumes: 26,
  listeners: 32,
  /** Each is a health check that the balancer runs all the time. */
  members: 128,
  allowedCidrs: 128,
  attachments: 32,
  /** What people may define; one more is the platform's own. */
  snapshotPolicies: 4,
  /** Far more than the simulated catalogue has. */
  flavors: 64,
  /** Regions are private to a few customers, or public. */
  organizations: 1024,
} as const;
