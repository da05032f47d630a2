import { words } from '../words/index.ts';

const texts = words.identity.projects;

interface Named {
  readonly metadata: { readonly name: string };
}

type Kind = keyof typeof texts.counts;

/** As many names as a dialog has room for. The number of all is always there. */
const named = 10;

/** What a project has of a kind: how many, and the first names. */
export interface Contents {
  readonly kind: Kind;
  readonly count: string;
  readonly names: string;
}

/** Kinds of which there is nothing are left out. */
export function contentsOf(lists: Readonly<Record<Kind, readonly Named[]>>): readonly Contents[] {
  const kinds = ['instances', 'networks', 'loadBalancers', 'fileStorage'] as const satisfies readonly Kind[];
  return kinds
    .filter((kind) => lists[kind].length > 0)
    .map((kind) => {
      const names = lists[kind].map(({ metadata }) => metadata.name).toSorted();
      const more = names.length > named ? ', …' : '';
      return { kind, count: texts.counts[kind](names.length), names: `${names.slice(0, named).join(', ')}${more}` };
    });
}
