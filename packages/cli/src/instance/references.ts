import type { Named } from '../nouns/noun.ts';
import type { NameLookup } from '../output/names.ts';

/** An object with an id. */
export interface Reference {
  readonly noun: string;
  readonly id: string;
}

/** The name of a resource; its id if the name is unknown. */
export type NameOf = (noun: string, id: string) => string;

/** Looks up the resources that an object refers to. */
export async function namesFor(references: readonly Reference[], object: Named, lookup: NameLookup): Promise<NameOf> {
  const known = new Map(
    await Promise.all(
      references.map(async ({ noun, id }) => [`${noun} ${id}`, await lookup(noun, id, object)] as const),
    ),
  );
  return (noun, id) => known.get(`${noun} ${id}`) ?? id;
}
