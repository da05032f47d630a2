/** How long things are waited for, and how old they may be. */
export const waits = {
  /** How often a running machine writes a line. */
  consoleChatter_s: 600,
  /** When a machine shows its login prompt after its start. */
  login_s: 8,
  /** How often an open terminal looks whether the machine has written a line, was stopped, or was deleted. */
  terminalTick_ms: 500,
} as const;

/** How many there may be, and how many are read at once. */
export const limits = {
  /** After this many taken shares, counting the pool is cheaper than continuing. */
  claimMisses: 16,
  /** Number of lines that a console keeps. */
  consoleLinesKept: 1_000,
  /** Characters of a terminal that are kept, in the record of the server: some screens. */
  terminalLength: 16_384,
} as const;
