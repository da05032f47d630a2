import { nextLine } from './input.ts';
import type { Terminal } from './terminal.ts';

/** Whether there is somebody who can be asked. */
export function isInteractive({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks a question that is answered with yes, or with anything else for no. */
export async function agrees(terminal: Terminal, question: string): Promise<boolean> {
  terminal.stderr.write(`${question} [y/N] `);
  return /^y(es)?$/i.test((await nextLine(terminal)).trim());
}
