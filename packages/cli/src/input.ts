import { createInterface } from 'node:readline';

import { Failure } from './failure.ts';
import { nowhere } from './nowhere.ts';
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

/** Tells a person in a terminal that the command waits for a text. With --no-input it must not wait. */
export function expectText({
  stdin,
  stderr,
  loud = stderr,
  asks = true,
}: Pick<Terminal, 'stdin' | 'stderr' | 'loud' | 'asks'>): void {
  if (stdin.isTTY !== true) return;
  if (!asks)
    throw new Failure(
      'usage',
      'standard input is a terminal, and --no-input does not allow to wait for a text',
      'write the text to standard input: < file',
    );
  loud.write('type the text, and end it with Ctrl-D on a new line\n');
}

/** Asks for secrets, one per line, without echo. Without a terminal, it reads the lines of standard input. */
export async function nextSecrets(
  {
    stdin,
    stderr,
    loud = stderr,
    asks = true,
    signal,
  }: Pick<Terminal, 'stdin' | 'stderr' | 'loud' | 'asks' | 'signal'>,
  prompts: readonly string[],
): Promise<readonly string[]> {
  const isTyped = stdin.isTTY === true;
  if (isTyped && !asks)
    throw new Failure(
      'usage',
      'a secret is needed, and --no-input does not allow to ask for it',
      'write the secrets to standard input, one per line',
    );
  // One reader for all lines, because piped input may arrive in one piece.
  const reader = createInterface({ input: stdin, output: nowhere(), terminal: isTyped, signal });
  const lines = reader[Symbol.asyncIterator]();
  const secrets: string[] = [];
  try {
    for (const prompt of prompts) {
      if (isTyped) loud.write(`${prompt}: `);
      const { value, done } = await lines.next();
      if (isTyped) loud.write('\n');
      signal.throwIfAborted();
      secrets.push(done === true ? '' : value);
    }
    return secrets;
  } finally {
    reader.close();
  }
}
