import { isMap, isNode, isScalar, isSeq, LineCounter, parseAllDocuments, visit, type Document } from 'yaml';

import { closest } from '../closest.ts';
import { fieldsOf, isFields, valueAt, type Fields } from '../documents.ts';
import { nouns } from '../nouns/index.ts';
import type { Noun } from '../nouns/noun.ts';
import type { Mistake } from './mistakes.ts';
import { placingScopes } from './references.ts';
import type { Source } from './sources.ts';

/** The body of a resource, in the format of the service. */
export interface Body {
  readonly metadata: Fields;
  readonly spec: Fields;
}

/** A resource as it is described in a file. */
export interface Manifest {
  readonly noun: Noun;
  readonly name: string;
  readonly body: Body;
  /** It was printed by `get -o yaml`. What it lacks for a creation is not a mistake if the resource exists. */
  readonly isRead?: boolean;
  /**
   * The position in the files of a path, such as `stack.yaml:14` for `spec.prefix`. For a missing field it is the
   * position of its parent.
   */
  at(path: string): string;
}

/** A document that is not a valid manifest, because it has a mistake. */
export interface Flawed {
  readonly mistakes: readonly Mistake[];
  /** The possible names of the resource; undefined if they cannot be read. */
  readonly names: readonly string[] | undefined;
  /** The part of a manifest that can be checked for more mistakes. */
  readonly draft?: Manifest;
}

export interface Parsed {
  readonly manifests: readonly Manifest[];
  readonly flawed: readonly Flawed[];
}

export function parseManifests(sources: readonly Source[]): Parsed {
  const parsed = sources.flatMap(parseSource);
  return {
    manifests: parsed.flatMap((each) => ('noun' in each ? [each] : [])),
    flawed: parsed.flatMap((each) => ('noun' in each ? [] : [each])),
  };
}

function parseSource({ name, text }: Source): readonly (Manifest | Flawed)[] {
  const lineCounter = new LineCounter();
  const documents = [...parseAllDocuments(text, { lineCounter, prettyErrors: false })];
  const lineAt = (offset: number) => `${name}:${lineCounter.linePos(offset).line}`;
  return documents.flatMap((document): readonly (Manifest | Flawed)[] => {
    const mistakes = [
      ...document.errors.map(({ pos, message }) => ({ at: lineAt(pos[0]), message })),
      ...aliasMistakes(document, lineAt),
    ];
    if (mistakes.length > 0) return [{ mistakes, names: undefined }];
    if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) return [];
    const said = contentOf(document);
    // `list -o yaml` prints a list of resources.
    return Array.isArray(said)
      ? said.map((each: unknown, index) => manifestOf(document, lineAt, each, [String(index)]))
      : [manifestOf(document, lineAt, said, [])];
  });
}

/** Aliases without an anchor, and aliases that contain themselves. */
function aliasMistakes(document: Document, lineAt: (offset: number) => string): readonly Mistake[] {
  const mistakes: Mistake[] = [];
  visit(document, {
    Alias: (_, alias, ancestors) => {
      const meant = alias.resolve(document);
      const at = lineAt(alias.range?.[0] ?? 0);
      if (!meant)
        mistakes.push({
          at,
          message: `*${alias.source} is undefined: there is no &${alias.source} before it in the same document`,
        });
      else if (ancestors.includes(meant)) mistakes.push({ at, message: `*${alias.source} refers to itself` });
    },
  });
  return mistakes;
}

function manifestOf(
  document: Document,
  lineAt: (offset: number) => string,
  said: unknown,
  root: readonly string[],
): Manifest | Flawed {
  const at = (path: string) => lineAt(offsetOf(document, [...root, ...(path === '' ? [] : path.split('.'))]));
  const flawed = (path: string, message: string, draft?: Manifest): Flawed => ({
    mistakes: [{ at: at(path), message }],
    names: namesIn(said),
    ...(draft ? { draft } : {}),
  });
  if (said === undefined)
    return {
      ...flawed('', 'its aliases expand to too much data; write the values instead'),
      names: undefined,
    };
  if (!isFields(said)) return flawed('', 'a resource has kind, metadata and spec');
  const noun = nounOf(said['kind']);
  if (typeof noun === 'string') return flawed('kind', noun);
  const isRead = typeof valueAt(said, 'metadata.id') === 'string';
  const foreign = Object.keys(said).find(
    (key) => !['kind', 'metadata', 'spec', ...(isRead ? ['status'] : [])].includes(key),
  );
  const { metadata = {}, spec = {} } = isRead ? writable(noun, said) : said;
  if (!isFields(metadata)) return flawed('metadata', 'metadata has name, description and tags');
  if (!isFields(spec)) return flawed('spec', `spec contains the settings of the ${noun.name}`);
  const body: Body = {
    metadata: 'tags' in metadata ? { ...metadata, tags: tagsOf(metadata['tags']) } : metadata,
    spec,
  };
  const namePath = noun.namePath ?? 'metadata.name';
  const name = valueAt(body, namePath);
  if (typeof name !== 'string' || name === '')
    return flawed(namePath, `${namePath} must be the name of the ${noun.name}, as text`, {
      noun,
      name: '',
      body,
      isRead,
      at,
    });
  const manifest = { noun, name, body, isRead, at };
  return foreign === undefined
    ? manifest
    : flawed(foreign, `a resource has kind, metadata and spec, and no ${foreign}`, manifest);
}

/**
 * The part of a resource, as the API returns it, that a file can contain. A service shows some settings of the creation
 * in the status or in the metadata.
 */
function writable(noun: Noun, said: Fields): Fields {
  const [metadata, spec, status] = ['metadata', 'spec', 'status'].map((part) => fieldsOf(said[part]));
  const keys = [
    ...placingScopes(noun).map((scope) => `${scope}Id`),
    ...noun.fields.flatMap(({ path }) => (path.startsWith('spec.') ? [path.split('.')[1] ?? ''] : [])),
    ...(noun.namePath === undefined ? [] : [noun.namePath.slice('spec.'.length)]),
  ];
  const values = [...new Set(keys)].map((key) => [key, spec?.[key] ?? status?.[key] ?? metadata?.[key]] as const);
  return {
    metadata: Object.fromEntries(
      ['name', 'description', 'tags'].flatMap((key) => (metadata?.[key] === undefined ? [] : [[key, metadata[key]]])),
    ),
    spec: Object.fromEntries(values.filter(([, value]) => value !== undefined)),
  };
}

/** The content of a document; undefined if aliases make it too large. */
function contentOf(document: Document): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

/** Every text that could be meant as the name of a resource, also if it is in the wrong place. */
function namesIn(said: unknown): readonly string[] {
  return [...Object.values(fieldsOf(valueAt(said, 'metadata'))), valueAt(said, 'spec.subject')].filter(
    (value) => typeof value === 'string',
  );
}

function nounOf(kind: unknown): Noun | string {
  const writable = nouns.filter(({ verbs }) => verbs.includes('create'));
  if (typeof kind !== 'string') return `kind is missing: one of ${writable.map(({ name }) => name).join(', ')}`;
  const asked = kind.toLowerCase();
  const noun = nouns.find(({ name, plural, aliases = [] }) => [name, plural, ...aliases].includes(asked));
  if (!noun)
    return `kind ${kind} does not exist; ${hintOf(
      closest(
        asked,
        writable.map(({ name }) => name),
      ),
      writable,
    )}`;
  return writable.includes(noun) ? noun : `${noun.plural} cannot be created from files`;
}

function hintOf(close: readonly string[], writable: readonly Noun[]): string {
  return close.length > 0
    ? `did you mean ${close.join(' or ')}?`
    : `there are ${writable.map(({ name }) => name).join(', ')}`;
}

/** Users write tags as a map; services expect a list. */
function tagsOf(tags: unknown): unknown {
  return isFields(tags)
    ? Object.entries(tags).map(([name, value]) => ({
        name,
        value: typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
      }))
    : tags;
}

/** The position of the deepest existing part of a path; for an entry of a map, the position of its key. */
function offsetOf(document: Document, path: readonly string[]): number {
  const [parent, last] = [document.getIn(path.slice(0, -1), true), path.at(-1)];
  const within = path.length < 2 ? document.contents : parent;
  if (last === undefined) return isNode(document.contents) ? (document.contents.range?.[0] ?? 0) : 0;
  const key = isMap(within)
    ? within.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === last)?.key
    : undefined;
  const node = isSeq(within) ? within.items[Number(last)] : key;
  return isNode(node) && node.range ? node.range[0] : offsetOf(document, path.slice(0, -1));
}
