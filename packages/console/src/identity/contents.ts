import { words } from '../words/index.ts';

const texts = words.identity.projects;

interface Named {
  readonly metadata: { readonly name: string };
}

type Kind = keyof typeof texts.counts;

/** As many names as a dialog has room for. The number of all is always there. */
const named = 10;

/** A line for each kind of resource that there is, with its number and the first names. */
export function contentsOf(lists: Readonly<Record<Kind, readonly Named[]>>): readonly string[] {
  const kinds = ['instances', 'networks', 'loadBalancers', 'fileStorage'] as const satisfies readonly Kind[];
  return kinds
    .filter((kind) => lists[kind].length > 0)
    .map((kind) => {
      const names = lists[kind].map(({ metadata }) => metadata.name).toSorted();
      const more = names.length > named ? ', …' : '';
      return `${texts.counts[kind](names.length)}: ${names.slice(0, named).join(', ')}${more}`;
    });
}
