import type { TerminalConnection } from '@unikorn/sdk';

import { waits } from '../limits.ts';
import type { Input, Terminal } from '../terminal.ts';
import { escaped, escapeStart } from './escape.ts';
import { at, found, type InstanceCall } from './found.ts';

/**
 * Connects the terminal of the user with the serial console of an instance. In a pipe, the lines of standard input are
 * typed, and the command ends when the machine has nothing more to say.
 */
export async function attachVerb(call: InstanceCall, name: string): Promise<void> {
  const { terminal } = call;
  const { session, current } = await found(call, name);
  const { stdin, stdout, stderr } = terminal;
  const isInteractive = stdin.isTTY === true;
  const tell = (text: string) => {
    stderr.write(isInteractive ? `\r\n${text}\r\n` : `${text}\n`);
  };
  let opened = 0;
  let heard_ms = terminal.now().getTime();
  const isOpen = Promise.withResolvers<undefined>();
  const connection = session.unikorn.compute.terminal('/api/v2/instances/{instanceID}/terminal', {
    ...at(current.metadata.id),
    signal: terminal.signal,
    onOutput: (bytes) => {
      heard_ms = terminal.now().getTime();
      stdout.write(bytes);
    },
    onState: (state) => {
      if (state.type === 'interrupted') tell(`the connection broke: ${state.error.message}; connecting again`);
      if (state.type !== 'open') return;
      opened += 1;
      if (opened > 1) tell('connected again; the text of the console begins from the start');
      isOpen.resolve(undefined);
    },
  });
  if (isInteractive)
    stderr.write(
      `the serial console of ${current.metadata.name}; to leave, type ~. at the start of a line, or Ctrl-]\n`,
    );
  const restore = isInteractive ? rawMode(stdin) : () => undefined;
  try {
    const typing = isInteractive
      ? typeKeys(stdin, connection)
      : typeLines(terminal, connection, isOpen.promise, () => heard_ms);
    await Promise.race([connection.ended, typing]);
    connection.close();
    await connection.ended;
  } finally {
    connection.close();
    restore();
    stdin.pause();
    if (isInteractive) stderr.write('\n');
  }
}

function rawMode(stdin: Input): () => void {
  stdin.setRawMode?.(true);
  return () => {
    stdin.setRawMode?.(false);
  };
}

/** Passes each key on, until the user leaves. */
async function typeKeys(stdin: Input, { send, ended }: TerminalConnection): Promise<void> {
  let escape = escapeStart;
  const isOver = new AbortController();
  const over = () => {
    isOver.abort();
    stdin.pause();
  };
  ended.then(over, over);
  const decoder = new TextDecoder();
  await new Promise<void>((resolve) => {
    const take = (chunk: Buffer | string) => {
      const input = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
      const next = escaped(escape, input);
      escape = next.escape;
      if (next.passed !== '') send(next.passed);
      if (next.leaves) leave();
    };
    const leave = () => {
      stdin.removeListener('data', take);
      resolve();
    };
    stdin.on('data', take);
    stdin.once('end', leave);
    isOver.signal.addEventListener('abort', leave);
  });
}

/** Types the lines of a pipe, and waits until the machine is quiet. */
async function typeLines(
  terminal: Terminal,
  { send }: TerminalConnection,
  opened: Promise<undefined>,
  heard_ms: () => number,
): Promise<void> {
  await opened;
  const quiet = async () => {
    await terminal.sleep(waits.consoleQuiet_ms, terminal.signal);
    while (terminal.now().getTime() - heard_ms() < waits.consoleQuiet_ms)
      await terminal.sleep(waits.consoleQuiet_ms / 4, terminal.signal);
  };
  await quiet();
  let rest = '';
  for await (const chunk of terminal.stdin) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      send(`${line.replace(/\r$/, '')}\r`);
      await quiet();
    }
  }
  if (rest === '') return;
  send(`${rest}\r`);
  await quiet();
}
