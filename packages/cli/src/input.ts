import { createInterface } from 'node:readline';

import type { Terminal } from './terminal.ts';

/** The next line of standard input; empty when there is none. */
export async function nextLine({ stdin, signal }: Pick<Terminal, 'stdin' | 'signal'>): Promise<string> {
  const lines = createInterface({ input: stdin, signal });
  try {
    for await (const line of lines) return line;
    signal.throwIfAborted();
    return '';
  } finally {
    lines.close();
  }
}
