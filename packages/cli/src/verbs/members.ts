import { valueAt, withValueAt, type Fields } from '../documents.ts';
import { valuesOf, type Values } from '../field-values.ts';
import { find } from '../finding.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { printOne } from '../output/print.ts';
import { editableOf } from '../writing.ts';
import type { YesOption } from '../yes-option.ts';
import { asList, demandRemoval, keyOf } from './removal.ts';
import { changedOnce, demandChange } from './update.ts';
import { opened, type Call } from './verb.ts';

export type MembersOptions = GlobalOptions & YesOption & Fields;

/** Adds the resources in flags to the lists of a resource, or removes them. The other elements stay. */
export async function membersVerb(call: Call<MembersOptions>, change: 'add' | 'remove', name: string): Promise<void> {
  const { terminal, noun, options } = call;
  demandChange(noun, options);
  const { session, printing } = await opened(call);
  const object = await find(session, noun, name);
  const values = await valuesOf(noun, 'update', options, session, terminal);
  await demandRemoval(session, noun, object, withMembers(noun, object, change, values), call);
  const changed = await changedOnce(session, noun, object.metadata.id, (current) =>
    withMembers(noun, current, change, values),
  );
  await printOne(noun, changed, { ...printing, format: options.output ?? 'table' });
}

/** The body in which the given members are added to, or removed from, each list. */
export function withMembers(noun: Noun, current: Named, change: 'add' | 'remove', values: Values): Fields {
  return [...values].reduce<Fields>(
    (document, [path, value]) => {
      const said = asList(value);
      const meant = new Set(said.map(keyOf));
      const others = asList(valueAt(document, path)).filter((member) => !meant.has(keyOf(member)));
      return withValueAt(document, path, change === 'remove' ? others : [...others, ...said]);
    },
    editableOf(noun, current),
  );
}
