import type { History } from '@unikorn/sdk';

import { Failure } from '../failure.ts';
import { find } from '../finding.ts';
import type { GlobalOptions } from '../global-options.ts';
import { namesFor } from '../instance/references.ts';
import { printDocument } from '../instance/print.ts';
import { actorsIn, historyLine, renderHistory } from '../instance/render-history.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { coloursFor } from '../output/colours.ts';
import { isId } from '../resources.ts';
import { widthOf } from '../output/table.ts';
import type { Session } from '../session.ts';
import { showEntries } from './follow-entries.ts';
import { historySources } from './history-sources.ts';
import { opened, type Call, type Opened } from './verb.ts';
import { tellOf } from './watch.ts';

export type HistoryOptions = GlobalOptions & { readonly limit?: number; readonly follow?: boolean };

export async function historyVerb(call: Call<HistoryOptions>, name: string): Promise<void> {
  const { session, printing } = await opened(call);
  await showHistory(call, { session, printing }, await findEvenIfGone(session, call.noun, name));
}

/** Prints the history of a resource, and with `--follow` every new entry until Ctrl-C. */
export async function showHistory(
  { terminal, noun, options: { limit, follow } }: Call<HistoryOptions>,
  { session, printing }: Opened,
  object: Named,
): Promise<void> {
  const source = await historySources[noun.name]?.(session, object.metadata.id);
  if (!source) throw new Failure('usage', `${noun.plural} have no history`);
  const query = limit === undefined ? {} : { limit };
  const colours = coloursFor(terminal.stdout, terminal.env);
  const namesIn = (entries: History) => namesFor(actorsIn(entries), object, printing.names);
  const table = async (entries: History) =>
    renderHistory(entries, await namesIn(entries), colours, widthOf(terminal.stdout));
  if (follow) {
    const changes = source.follow(query, { signal: terminal.signal, onInterruption: tellOf(terminal) });
    const line = async (entry: History[number]) => historyLine(entry, await namesIn([entry]), colours);
    await showEntries(changes, printing, { table: (entries) => table([...entries]), line });
    return;
  }
  const entries = await source.read(query);
  await printDocument(printing, entries, () => table(entries));
}

/** A history remains after its resource is deleted. Then it is found by the id, which the activity shows. */
async function findEvenIfGone(session: Session, noun: Noun, name: string): Promise<Named> {
  try {
    return await find(session, noun, name);
  } catch (error) {
    if (!(error instanceof Failure) || error.ending !== 'notFound' || !isId(name)) throw error;
    return { metadata: { id: name, name } };
  }
}
