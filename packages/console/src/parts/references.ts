/** The words of the service for the kinds that have pages, and where those pages are. */
const nouns = {
  instance: 'instances',
  network: 'networks',
  'security group': 'security-groups',
  'load balancer': 'load-balancers',
  'file storage': 'file-storage',
} as const;

type Noun = (typeof nouns)[keyof typeof nouns];

export interface Part {
  readonly text: string;
  /** The resource that the text names. */
  readonly reference?: { readonly noun: Noun; readonly id: string };
}

const named = /\b(instance|network|security group|load balancer|file storage) (\S+) \(([0-9a-f-]{36})\)/g;

/** Splits a sentence of the service at the resources that it names, such as `instance web-1 (0b7f…)`. */
export function referencesIn(sentence: string): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of sentence.matchAll(named)) {
    const [whole, kind = '', name = '', id = ''] = match;
    const noun = isNoun(kind) ? nouns[kind] : undefined;
    if (!noun) continue;
    parts.push({ text: `${sentence.slice(end, match.index)}${kind} ` }, { text: name, reference: { noun, id } });
    end = match.index + whole.length;
  }
  return [...parts, { text: sentence.slice(end) }];
}

function isNoun(word: string): word is keyof typeof nouns {
  return word in nouns;
}
