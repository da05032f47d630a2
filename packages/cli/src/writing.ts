import { valueAt, withValueAt, type Fields } from './documents.ts';
import { Failure } from './failure.ts';
import type { Values } from './field-values.ts';
import { fieldsFor } from './fields.ts';
import type { Named, Noun } from './nouns/noun.ts';

/** The options that every resource has. */
export interface Common {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Each such as `team=web`. */
  readonly tag?: readonly string[] | undefined;
  readonly untag?: readonly string[] | undefined;
}

/** The body for creating a resource. */
export function creation(noun: Noun, name: string, common: Common, values: Values, owners: Fields): Fields {
  const fallbacks = fieldsFor(noun, 'create').flatMap(({ path, fallback }) =>
    fallback === undefined ? [] : [[path, fallback] as const],
  );
  const base = [...fallbacks, ...values].reduce<Fields>(
    (document, [path, value]) => withValueAt(document, path, value),
    { spec: owners },
  );
  return noun.namePath === undefined
    ? { metadata: changedMetadata({ name }, common), ...base }
    : withValueAt(base, noun.namePath, name);
}

/** The body of an update: the current resource with only the given fields changed. */
export function alteration(noun: Noun, current: Named, common: Common, values: Values): Fields {
  const { metadata, ...rest } = editableOf(noun, current);
  const base = [...values].reduce<Fields>((document, [path, value]) => withValueAt(document, path, value), rest);
  return { metadata: changedMetadata(metadata, common), ...base };
}

interface Editable extends Fields {
  readonly metadata: WriteMetadata;
}

type WriteMetadata = Pick<Named['metadata'], 'name' | 'description' | 'tags'>;

/** The part of a resource that may be sent back. */
export function editableOf(noun: Noun, current: Named): Editable {
  const { name, description, tags } = current.metadata;
  const metadata = {
    name,
    ...(description === undefined ? {} : { description }),
    ...(tags === undefined ? {} : { tags }),
  };
  if (noun.editable) return { ...noun.editable(current), metadata };
  const said = fieldsFor(noun, 'update').map(({ path }) => [path, valueAt(current, path)] as const);
  return {
    ...said.reduce<Fields>(
      (document, [path, value]) => (value === undefined ? document : withValueAt(document, path, value)),
      { spec: {} },
    ),
    metadata,
  };
}

function changedMetadata({ name, description, tags = [] }: WriteMetadata, common: Common): WriteMetadata {
  const added = (common.tag ?? []).map(tagOf);
  const gone = new Set([...(common.untag ?? []), ...added.map((tag) => tag.name)]);
  const kept = [...tags.filter((tag) => !gone.has(tag.name)), ...added];
  const text = common.description ?? description;
  return {
    name: common.name ?? name,
    ...(text ? { description: text } : {}),
    ...(kept.length > 0 ? { tags: kept } : {}),
  };
}

/** A tag as it is written on a command line. */
export function tagOf(text: string): { readonly name: string; readonly value: string } {
  const at = text.indexOf('=');
  if (at < 1) throw new Failure('usage', `${text} is not a tag; write it as name=value`);
  return { name: text.slice(0, at), value: text.slice(at + 1) };
}
