/** How long things are waited for, and how old they may be. */
export const waits = {
  /** How often a running machine writes a line. */
  consoleChatter_s: 600,
} as const;

/** How many there may be, and how many are read at once. */
export const limits = {
  /** After this many taken shares, counting the pool is cheaper than continuing. */
  claimMisses: 16,
  /** Number of lines that a console keeps. */
  consoleLinesKept: 1_000,
} as const;
