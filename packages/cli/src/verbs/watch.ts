import type { Change, OnInterruption } from '@unikorn/sdk';

import { find } from '../finding.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { coloursFor } from '../output/colours.ts';
import { documentText, rowsOf, tableOf, viewOf, type Printing } from '../output/print.ts';
import { reasonOf, statusOf } from '../output/view.ts';
import { beside, follow, handleOf, nameOf } from '../resources.ts';
import { Interrupted, type Terminal } from '../terminal.ts';
import { opened, type Call } from './verb.ts';

/** Follows all resources of a noun, or one, until Ctrl-C, which is its normal end. */
export async function watchVerb(call: Call, name: string | undefined): Promise<void> {
  const { terminal, noun } = call;
  const { session, printing } = await opened(call);
  const object = name === undefined ? undefined : await find(session, noun, name);
  const changes = follow(object ? beside(session, object) : session, noun, object?.metadata.id, {
    signal: terminal.signal,
    sleep: terminal.sleep,
    onInterruption: tellOf(terminal),
  });
  try {
    await showChanges(noun, changes, printing);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  }
}

/** Reports once that the service does not answer, and once that it answers again. */
export function tellOf({ stderr }: Terminal): OnInterruption {
  let before = '';
  return (error) => {
    const line = error ? `${error.message}; trying again` : 'it answers again';
    if (line !== before) stderr.write(`${line}\n`);
    before = line;
  };
}

/**
 * A table that is redrawn on a terminal. Without a terminal it is one line per change, and with `-o json` one document
 * per change. Ends with the object that is followed.
 */
export async function showChanges(
  noun: Noun,
  changes: AsyncIterable<Change<Named, Named>>,
  printing: Printing,
): Promise<void> {
  const { terminal, format } = printing;
  const table = terminal.stdout.isTTY && (format === undefined || format === 'table' || format === 'wide');
  if (table) await redrawn(noun, changes, printing);
  else
    for await (const change of changes)
      if ('object' in change) terminal.stdout.write(await lineOf(noun, change, printing));
}

async function lineOf(
  noun: Noun,
  { type, object }: { readonly type: string; readonly object: Named },
  { terminal, format }: Printing,
): Promise<string> {
  switch (format) {
    case 'json':
      return `${JSON.stringify({ type, object })}\n`;
    case 'yaml':
      return `---\n${await documentText('yaml', { type, object })}`;
    case 'name':
      return `${handleOf(noun, object)}\n`;
    case undefined:
    case 'table':
    case 'wide':
      return `${[terminal.now().toISOString(), type, nameOf(noun, object), statusOf(noun, object), reasonOf(noun, object)].filter((part) => part !== '').join(' ')}\n`;
  }
}

async function redrawn(noun: Noun, changes: AsyncIterable<Change<Named, Named>>, printing: Printing): Promise<void> {
  const { createLogUpdate } = await import('log-update');
  const { terminal, format = 'table' } = printing;
  const log = createLogUpdate(terminal.stdout);
  const objects = new Map<string, Named>();
  let synced = false;
  try {
    for await (const change of changes) {
      if ('object' in change) keep(objects, change);
      else if (change.type === 'synced') synced = true;
      else objects.clear();
      if (synced) log(await tableText(noun, [...objects.values()], { ...printing, format }, terminal));
    }
  } finally {
    log.done();
  }
}

function keep(objects: Map<string, Named>, { type, object }: { readonly type: string; readonly object: Named }): void {
  if (type === 'deleted') objects.delete(object.metadata.id);
  else objects.set(object.metadata.id, object);
}

async function tableText(
  noun: Noun,
  objects: readonly Named[],
  printing: Printing,
  terminal: Terminal,
): Promise<string> {
  if (objects.length === 0) return `there are no ${noun.plural} here`;
  return tableOf(
    await rowsOf(noun, objects, viewOf(printing, printing.format ?? 'table')),
    coloursFor(terminal.stdout, terminal.env),
  ).trimEnd();
}
