/** A two-way connection that carries bytes, such as the serial console of a machine. */
export interface Line {
  /**
   * The bytes from the other side. They are read once, and the next ones are only taken when the reader asks for them.
   * They end when one side hangs up. If the line ended for a reason that the user must know, they throw a `Problem`.
   */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Resolves when the other side can take more. It does nothing after the end. */
  readonly send: (piece: Uint8Array) => Promise<void>;
  /** Hangs up, which ends `pieces`. A second call does nothing. */
  readonly close: () => void;
}

/** Opens a line. The signal ends the attempt, and later the line. */
export type OpenLine = (signal: AbortSignal) => Promise<Line>;
