import { demandConsent, type Destruction } from '../ask.ts';
import { valueAt } from '../documents.ts';
import { accessFields } from '../fields.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { nameLookup } from '../output/names.ts';
import { nameOf } from '../resources.ts';
import type { Session } from '../session.ts';
import type { YesOption } from '../yes-option.ts';
import { enumerated } from './contents.ts';
import type { Call } from './verb.ts';

/** Asks if a change takes elements out of lists that give access, such as the members and the roles of a group. */
export async function demandRemoval(
  session: Session,
  noun: Noun,
  current: Named,
  next: object,
  { terminal, options }: Pick<Call<GlobalOptions & YesOption>, 'terminal' | 'options'>,
): Promise<void> {
  if (!options.yes) await demandConsent(terminal, options, ...(await removalsBy(session, noun, current, next)));
}

/** The access that a change takes away; empty if it takes none away. */
export async function removalsBy(
  session: Session,
  noun: Noun,
  current: Named,
  next: object,
): Promise<readonly Destruction[]> {
  const names = nameLookup(session);
  const removed = await Promise.all(
    accessFields(noun).map(async ({ path, noun: member = '' }) => {
      const kept = new Set(asList(valueAt(next, path)).map(keyOf));
      const leaving = asList(valueAt(current, path))
        .map(keyOf)
        .filter((key) => !kept.has(key));
      return Promise.all(leaving.map(async (key) => `${member} ${await names(member, String(key), current)}`));
    }),
  );
  const leaving = removed.flat();
  if (leaving.length === 0) return [];
  return [
    {
      verb: 'remove',
      what: `${enumerated(leaving)} from ${noun.name} ${nameOf(noun, current)}`,
      losses: ['the access that depends on it'],
    },
  ];
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The id of a member, which may be given as an id or as an object with an id. */
export function keyOf(member: unknown): unknown {
  return valueAt(member, 'id') ?? member;
}
