import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

import type { Terminal } from './terminal.ts';

/** The next line of standard input; empty at its end. */
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

/** Asks for secrets, one per line, without echo. Without a terminal, it reads the lines of standard input. */
export async function nextSecrets(
  { stdin, stderr, signal }: Pick<Terminal, 'stdin' | 'stderr' | 'signal'>,
  prompts: readonly string[],
): Promise<readonly string[]> {
  const isTyped = stdin.isTTY === true;
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  // One reader for all lines, because piped input may arrive in one piece.
  const reader = createInterface({ input: stdin, output: nowhere, terminal: isTyped, signal });
  const lines = reader[Symbol.asyncIterator]();
  const secrets: string[] = [];
  try {
    for (const prompt of prompts) {
      if (isTyped) stderr.write(`${prompt}: `);
      const { value, done } = await lines.next();
      if (isTyped) stderr.write('\n');
      signal.throwIfAborted();
      secrets.push(done === true ? '' : value);
    }
    return secrets;
  } finally {
    reader.close();
  }
}
