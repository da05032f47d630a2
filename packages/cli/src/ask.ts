import { nextLine } from './input.ts';
import type { Terminal } from './terminal.ts';

/** Whether the command can ask the user. */
export function isInteractive({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks a question. Only yes means yes; every other answer means no. */
export async function agrees(terminal: Terminal, question: string): Promise<boolean> {
  terminal.stderr.write(`${question} [y/N] `);
  return /^y(es)?$/i.test((await nextLine(terminal)).trim());
}
