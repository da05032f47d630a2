/** The state of the detection: whether a line has just begun, and whether its first character was `~`. */
export interface Escape {
  readonly at: 'line start' | 'tilde' | 'inside';
}

export const escapeStart: Escape = { at: 'line start' };

export interface Escaped {
  readonly escape: Escape;
  /** The input for the machine. */
  readonly passed: string;
  /** The user wants to leave. */
  readonly leaves: boolean;
}

/** Leaves at once. */
const leaveKey = '\x1d';

/**
 * Finds the sequence to leave in the input of a terminal: `~.` at the beginning of a line, as in SSH, or Ctrl-]. `~~`
 * sends one `~`.
 *
 * @example escaped(escapeStart, 'ls\r~.'); // { passed: 'ls\r', leaves: true, … }
 */
export function escaped(escape: Escape, input: string): Escaped {
  let { at } = escape;
  let passed = '';
  for (const key of input) {
    if (key === leaveKey || (at === 'tilde' && key === '.')) return { escape: escapeStart, passed, leaves: true };
    if (at === 'line start' && key === '~') {
      at = 'tilde';
      continue;
    }
    passed += at === 'tilde' && key !== '~' ? `~${key}` : key;
    at = key === '\r' || key === '\n' ? 'line start' : 'inside';
  }
  return { escape: { at }, passed, leaves: false };
}
