import { dataOf } from '@unikorn/sdk';

import type { GlobalOptions } from '../global-options.ts';
import { waits } from '../limits.ts';
import type { Session } from '../session.ts';
import { Interrupted, type Terminal } from '../terminal.ts';
import { lastLines, newOutput } from './console-output.ts';
import { at, found, type InstanceCall } from './found.ts';
import { printDocument } from './print.ts';

export type ConsoleOptions = GlobalOptions & { readonly open?: boolean; readonly attach?: boolean };
export type LogsOptions = GlobalOptions & { readonly lines?: number; readonly follow?: boolean };

/** Prints the address of the console of an instance. Everyone who has the address can use it until it expires. */
export async function consoleVerb(call: InstanceCall<ConsoleOptions>, name: string): Promise<void> {
  const { terminal, options } = call;
  const { session, printing, current } = await found(call, name);
  const console = await dataOf(
    session.unikorn.compute.GET('/api/v2/instances/{instanceID}/consolesession', at(current.metadata.id)),
  );
  await printDocument(printing, console, () => Promise.resolve(`${console.url}\n`));
  if (options.open) await terminal.openBrowser(console.url);
}

/** Prints the console output of an instance. */
export async function logsVerb(call: InstanceCall<LogsOptions>, name: string): Promise<void> {
  const {
    terminal,
    options: { lines, follow },
  } = call;
  const { session, current } = await found(call, name);
  const { id } = current.metadata;
  // Without a limit of lines, because the whole output is needed to find the new part.
  const contents = await consoleOutput(session, id, follow ? undefined : lines);
  const shown = lines === undefined ? contents.trimEnd() : lastLines(contents, lines);
  if (follow) await followLogs(session, id, { terminal, shown, contents });
  else if (shown !== '') terminal.stdout.write(`${shown}\n`);
  else terminal.stderr.write(`instance ${current.metadata.name} has not written anything yet\n`);
}

interface Following {
  readonly terminal: Terminal;
  readonly shown: string;
  readonly contents: string;
}

/** Continues until Ctrl-C, which is its normal end. */
async function followLogs(session: Session, id: string, { terminal, shown, contents }: Following): Promise<void> {
  terminal.stdout.write(shown);
  let before = contents.trimEnd();
  try {
    while (true) {
      await terminal.sleep(waits.consolePoll_ms, terminal.signal);
      const now = (await consoleOutput(session, id, undefined)).trimEnd();
      terminal.stdout.write(newOutput(before, now));
      before = now;
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    terminal.stdout.write('\n');
  }
}

async function consoleOutput({ unikorn }: Session, id: string, length: number | undefined): Promise<string> {
  const { path } = at(id).params;
  const { contents } = await dataOf(
    unikorn.compute.GET('/api/v2/instances/{instanceID}/consoleoutput', {
      params: { path, query: length === undefined ? {} : { length } },
    }),
  );
  return contents;
}
