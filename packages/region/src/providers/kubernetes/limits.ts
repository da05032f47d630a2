/** How long things are waited for, and how old they may be. */
export const waits = {
  /** How long a class may still be offered after its last node was removed. */
  flavors_ms: 60_000,
  /** For all pages together, because a user waits for the result. */
  call_ms: 10_000,
} as const;

/** How many there may be, and how many are read at once. */
export const limits = {
  /** A node with everything that its kubelet reports takes tens of kilobytes. */
  nodesPage: 250,
  /** Far more than a page of nodes has. A cluster that sends more is not read. */
  pageBytes: 32 * 1024 * 1024,
} as const;
