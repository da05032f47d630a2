import type { Change, OnInterruption } from '@unikorn/sdk';

import { find } from '../finding.ts';
import { waits } from '../limits.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { documentText, rowsOf, tableOf, viewOf, type Printing } from '../output/print.ts';
import { cellsOf, cellText, reasonOf, statusOf, type Cell } from '../output/view.ts';
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
  if (table) return redrawn(noun, changes, printing);
  const lineOf = linesOf(noun, printing);
  for await (const change of changes) if ('object' in change) terminal.stdout.write(await lineOf(change));
}

interface Event {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: Named;
}

/** Remembers what every object was like, so that a line can say what has changed. */
function linesOf(noun: Noun, printing: Printing): (event: Event) => Promise<string> {
  const known = new Map<string, readonly Cell[]>();
  return async ({ type, object }) => {
    switch (printing.format) {
      case 'json':
        return `${JSON.stringify({ type, object })}\n`;
      case 'yaml':
        return `---\n${await documentText('yaml', { type, object })}`;
      case 'name':
        return `${handleOf(noun, object)}\n`;
      case undefined:
      case 'table':
      case 'wide': {
        const { id } = object.metadata;
        const cells = await cellsOf(noun, object, { ...viewOf(printing, 'wide'), described: true });
        const before = known.get(id);
        known.set(id, cells);
        const words = [printing.terminal.now().toISOString(), type, nameOf(noun, object), statusOf(noun, object)];
        const news = type === 'modified' && before ? differencesOf(before, cells) : [];
        const details = [...news, reasonOf(noun, object)].filter((part) => part !== '');
        return `${words.filter((word) => word !== '').join(' ')}${details.length === 0 ? '' : `: ${details.join('; ')}`}\n`;
      }
    }
  };
}

/** Such as `power Stopped → Running`, for every column but the status, which each line shows, and the age. */
export function differencesOf(before: readonly Cell[], now: readonly Cell[]): readonly string[] {
  return now.flatMap((cell) => {
    const old = before.find(({ header }) => header === cell.header);
    const [was, is] = [old ? cellText(old) : '-', cellText(cell)];
    return ['AGE', 'STATUS'].includes(cell.header) || was === is ? [] : [`${cell.header.toLowerCase()} ${was} → ${is}`];
  });
}

async function redrawn(noun: Noun, changes: AsyncIterable<Change<Named, Named>>, printing: Printing): Promise<void> {
  const { createLogUpdate } = await import('log-update');
  const { terminal } = printing;
  const log = createLogUpdate(terminal.stdout);
  const objects = new Map<string, Named>();
  const ending = new AbortController();
  let synced = false;
  const draw = async () => {
    if (synced) log(await tableText(noun, [...objects.values()], printing));
  };
  const pause = () =>
    terminal.sleep(waits.redraw_ms, ending.signal).then(
      () => true,
      () => false,
    );
  // Ages change without an event.
  const ticking = (async () => {
    while (await pause()) await draw();
  })();
  try {
    for await (const change of changes) {
      if ('object' in change) keep(objects, change);
      else if (change.type === 'synced') synced = true;
      else objects.clear();
      await draw();
    }
  } finally {
    ending.abort();
    await ticking;
    log.done();
  }
}

function keep(objects: Map<string, Named>, { type, object }: Event): void {
  if (type === 'deleted') objects.delete(object.metadata.id);
  else objects.set(object.metadata.id, object);
}

/** Rows that do not fit on the screen are counted: a terminal cannot redraw lines that have scrolled away. */
async function tableText(noun: Noun, objects: readonly Named[], printing: Printing): Promise<string> {
  if (objects.length === 0) return `there are no ${noun.plural} here`;
  const { format = 'table', terminal } = printing;
  const sortedObjects = objects.toSorted((left, right) => nameOf(noun, left).localeCompare(nameOf(noun, right), 'en'));
  const rows = await rowsOf(noun, sortedObjects, viewOf(printing, format));
  const room = Math.max(1, (terminal.stdout.rows ?? Infinity) - linesBesideRows);
  const text = tableOf(rows.length > room ? rows.slice(0, room) : rows, printing).trimEnd();
  return rows.length > room ? `${text}\n… and ${rows.length - room} more` : text;
}

/** The header, the line that counts the other rows, and the line of the cursor. */
const linesBesideRows = 3;
