/** How long things are waited for, and how old they may be. */
export const waits = {
  /** How often to check whether the parent process has ended. */
  parentCheck_ms: 1_000,
} as const;

/** How many there may be, and how many are read at once. */
export const limits = {
  /** How often a request of the demo data is sent. On a machine that is this busy, the start fails. */
  demoAttempts: 20,
  /** With less free space, the store may soon be unable to write. */
  scarce_bytes: 512 * 1024 * 1024,
} as const;
