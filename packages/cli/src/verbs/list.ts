import type { GlobalOptions } from '../global-options.ts';
import { printList, viewOf } from '../output/print.ts';
import { choiceOf, sorted } from '../output/table-choice.ts';
import type { TableOptions } from '../output/table-options.ts';
import { list, type Filter } from '../resources.ts';
import { opened, type Call } from './verb.ts';

export type ListOptions = GlobalOptions & Filter & TableOptions;

export async function listVerb(call: Call<ListOptions>): Promise<void> {
  const { noun, options } = call;
  const choice = choiceOf(noun, options);
  const { session, printing } = await opened(call);
  const view = viewOf(printing, 'wide');
  const byName = await sorted(noun, await list(session, noun, options), { column: 'NAME', descending: false }, view);
  const objects = choice.sort ? await sorted(noun, byName, choice.sort, view) : byName;
  const filtered = options.search !== undefined || options.tag !== undefined;
  await printList(noun, objects, { ...printing, choice, filtered });
}
