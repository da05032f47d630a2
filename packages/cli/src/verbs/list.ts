import type { GlobalOptions } from '../global-options.ts';
import { printList } from '../output/print.ts';
import { list, nameOf, type Filter } from '../resources.ts';
import { opened, type Call } from './verb.ts';

export type ListOptions = GlobalOptions & Filter;

export async function listVerb(call: Call<ListOptions>): Promise<void> {
  const { noun, options } = call;
  const { session, printing } = await opened(call);
  const objects = await list(session, noun, options);
  await printList(
    noun,
    objects.toSorted((left, right) => nameOf(noun, left).localeCompare(nameOf(noun, right))),
    printing,
  );
}
