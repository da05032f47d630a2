import { demandConsent, type Destruction } from '../ask.ts';
import { valueAt, withValueAt, type Fields } from '../documents.ts';
import { valuesOf, type Values } from '../field-values.ts';
import { fieldsFor } from '../fields.ts';
import { find } from '../finding.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { nameLookup } from '../output/names.ts';
import { printOne } from '../output/print.ts';
import { nameOf } from '../resources.ts';
import type { Session } from '../session.ts';
import { editableOf } from '../writing.ts';
import type { YesOption } from '../yes-option.ts';
import { enumerated } from './contents.ts';
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
  if (change === 'remove' && !options.yes) {
    const removal = await removalOf(session, noun, object, values);
    if (removal) await demandConsent(terminal, options, removal);
  }
  const changed = await changedOnce(session, noun, object.metadata.id, (current) =>
    withMembers(noun, current, change, values),
  );
  await printOne(noun, changed, { ...printing, format: options.output ?? 'table' });
}

/** Undefined if the resource has none of these members. */
async function removalOf(
  session: Session,
  noun: Noun,
  current: Named,
  values: Values,
): Promise<Destruction | undefined> {
  const names = nameLookup(session);
  const removed = await Promise.all(
    fieldsFor(noun, 'update').map(async ({ path, noun: member = '' }) => {
      const present = new Set(asList(valueAt(current, path)).map(keyOf));
      const leaving = asList(values.get(path))
        .map(keyOf)
        .filter((key) => present.has(key));
      return Promise.all(leaving.map(async (key) => `${member} ${await names(member, String(key), current)}`));
    }),
  );
  const leaving = removed.flat();
  return leaving.length === 0
    ? undefined
    : {
        verb: 'remove',
        what: `${enumerated(leaving)} from ${noun.name} ${nameOf(noun, current)}`,
        losses: ['the access that depends on it'],
      };
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

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The id of a member, which may be given as an id or as an object with an id. */
function keyOf(member: unknown): unknown {
  return valueAt(member, 'id') ?? member;
}
