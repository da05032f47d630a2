import { valueAt } from '../documents.ts';
import { limits } from '../limits.ts';
import { nounNamed } from '../nouns/index.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { about, beside, list, nameOf, placeOf } from '../resources.ts';
import type { Session } from '../session.ts';

/**
 * The resources that are deleted together with others, such as `instances web-1 and web-2; network frontend`. Those
 * that the user names are left out.
 */
export async function contentsOf(
  session: Session,
  noun: Noun,
  objects: readonly Named[],
  named: ReadonlySet<string> = new Set(),
): Promise<readonly string[]> {
  const kinds = await Promise.all(
    (noun.contents ?? []).map(async (name) => {
      const inner = nounNamed(name);
      const found = await Promise.all(objects.map((object) => within(session, noun, object, inner)));
      const names = found
        .flat()
        .filter(({ metadata }) => !named.has(metadata.id))
        .map((each) => nameOf(inner, each));
      return names.length === 0 ? [] : [`${names.length === 1 ? inner.name : inner.plural} ${enumerated(names)}`];
    }),
  );
  return kinds.flat().length === 0 ? [] : [kinds.flat().join('; ')];
}

/** A caller who may not list these resources is still asked about the deletion. */
async function within(session: Session, noun: Noun, object: Named, inner: Noun): Promise<readonly Named[]> {
  const { id } = object.metadata;
  const there =
    noun.name === 'project' || noun.name === 'organization'
      ? about(session, { ...placeOf(object), [noun.name]: id })
      : beside(session, object);
  const all = await list(there, inner).catch(() => []);
  return noun.name === 'network' ? all.filter((each) => valueAt(each, 'status.networkId') === id) : all;
}

/** Such as `web-1, web-2 and 3 more`. */
export function enumerated(names: readonly string[]): string {
  const shown = names.slice(0, limits.enumerated);
  const rest = names.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown.at(-1);
  const first = rest > 0 ? shown : shown.slice(0, -1);
  return first.length === 0 ? (last ?? '') : `${first.join(', ')} and ${last}`;
}
