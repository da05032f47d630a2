import { isFields } from '../documents.ts';
import type { NameLookup } from '../output/names.ts';
import type { Body } from './manifest.ts';
import { referencesOf } from './references.ts';
import type { Situation } from './survey.ts';

/** Replaces ids in documents by the names that users know. */
export type Spellings = ReadonlyMap<string, string>;

/** The name in the file or, for references that only the resource contains, the name of the referenced resource. */
export async function spellingsOf(
  { manifest: { noun }, links, objects, existing }: Situation,
  current: Body,
  names: NameLookup,
): Promise<Spellings> {
  const inFile = links.flatMap(({ reference }) => {
    const object = objects.get(reference);
    const sent = object && reference.sent(object);
    return typeof sent === 'string' ? [[sent, reference.text] as const] : [];
  });
  const others = existing
    ? referencesOf({ noun, body: current }).map(
        async ({ noun: { name }, text }) => [text, await names(name, text, existing)] as const,
      )
    : [];
  return new Map([...(await Promise.all(others)), ...inFile]);
}

export function spelled(value: unknown, spellings: Spellings): unknown {
  if (typeof value === 'string') return spellings.get(value) ?? value;
  if (Array.isArray(value)) return value.map((element) => spelled(element, spellings));
  return isFields(value)
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, spelled(each, spellings)]))
    : value;
}
