import { nounNamed } from '../nouns/index.ts';
import type { Named } from '../nouns/noun.ts';
import { beside, list, nameOf, placeOf } from '../resources.ts';
import type { Session } from '../session.ts';

/** The name of the resource with an id. */
export type NameLookup = (noun: string, id: string, object: Named) => Promise<string>;

/** Requests the names of a noun once per scope. An id without a known name stays an id. */
export function nameLookup(session: Session): NameLookup {
  const lists = new Map<string, Promise<ReadonlyMap<string, string>>>();
  const ask = async (nounName: string, object: Named): Promise<ReadonlyMap<string, string>> => {
    const noun = nounNamed(nounName);
    const objects = await list(beside(session, object), noun).catch(() => []);
    return new Map(objects.map((other) => [other.metadata.id, nameOf(noun, other)]));
  };
  return async (nounName, id, object) => {
    const place = placeOf(object);
    const key = [nounName, ...nounNamed(nounName).scope.map((scope) => place[scope])].join(' ');
    const known = lists.get(key) ?? ask(nounName, object);
    lists.set(key, known);
    return (await known).get(id) ?? id;
  };
}
