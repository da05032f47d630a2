import { Ajv, type ErrorObject } from 'ajv';

import { closest } from '../closest.ts';
import { fieldsOf, isFields, valueAt, type Fields } from '../documents.ts';
import type { Noun } from '../nouns/noun.ts';
import type { Manifest } from './manifest.ts';
import type { Mistake } from './mistakes.ts';

/** The fields of a noun, from the OpenAPI document of its service. */
export interface Vocabulary {
  /** The mistakes in a document, with their places in the manifest; the given paths are not checked. */
  check(manifest: Manifest, document: unknown, unsettled: readonly string[]): readonly Mistake[];
  /** Whether a part of the spec, such as `prefix`, can be changed after creation. */
  isUpdatable(key: string): boolean;
}

/** Reads the OpenAPI document of a service, so that files may contain exactly the fields that this service supports. */
export function vocabulariesOf(description: unknown): (noun: Noun) => Vocabulary {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, verbose: true });
  const root = { ...fieldsOf(sealed(description)), $id: 'service' };
  ajv.addSchema(root);
  const known = new Map<Noun, Vocabulary>();
  const read = (noun: Noun): Vocabulary => {
    const path = noun.writePath ?? noun.path;
    const validate = ajv.compile({ $ref: `service#${pointerTo(path, 'post').map(encoded).join('')}` });
    const changes = propertiesAt(root, pointerTo(`${noun.path}/{${noun.idParameter}}`, 'put'));
    return {
      check: (manifest, document, unsettled) =>
        validate(document)
          ? []
          : (validate.errors ?? [])
              .filter(
                (error) => !unsettled.includes(pathOf(error)) && !(manifest.isRead && error.keyword === 'required'),
              )
              .map((error) => mistakeOf(manifest, error)),
      isUpdatable: (key) => noun.verbs.includes('update') && changes.includes(key),
    };
  };
  return (noun) => {
    const vocabulary = known.get(noun) ?? read(noun);
    known.set(noun, vocabulary);
    return vocabulary;
  };
}

/** Services ignore unknown fields. In a file, an unknown field is most likely a spelling mistake. */
function sealed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(sealed);
  if (!isFields(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, sealed(value)]));
  return inner['type'] === 'object' && isFields(inner['properties']) && inner['additionalProperties'] === undefined
    ? { ...inner, additionalProperties: false }
    : inner;
}

function pointerTo(path: string, method: 'post' | 'put'): readonly string[] {
  return ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
}

function encoded(key: string): string {
  return `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
}

/** The properties of a schema. */
function propertiesAt(root: Fields, pointer: readonly string[]): readonly string[] {
  const resolve = (schema: unknown): unknown => {
    const reference = valueAt(schema, '$ref');
    return typeof reference === 'string' ? resolve(at(root, reference.slice('#/'.length).split('/'))) : schema;
  };
  return Object.keys(fieldsOf(valueAt(resolve(valueAt(resolve(at(root, pointer)), 'properties.spec')), 'properties')));
}

/** The keys may contain dots. */
function at(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (isFields(inner) ? inner[key] : undefined), value);
}

function mistakeOf(manifest: Manifest, error: ErrorObject): Mistake {
  const path = pathOf(error);
  const foreign = valueAt(error.params, 'additionalProperty');
  if (typeof foreign === 'string')
    return {
      at: manifest.at(path === '' ? foreign : `${path}.${foreign}`),
      message: `${path} of a ${manifest.noun.name} has no ${foreign}${suggestion(foreign, error)}`,
    };
  return { at: manifest.at(path), message: `${path} ${ruleOf(error)}` };
}

function pathOf({ instancePath }: ErrorObject): string {
  return instancePath.split('/').slice(1).join('.');
}

function suggestion(foreign: string, { parentSchema }: ErrorObject): string {
  const known = Object.keys(fieldsOf(valueAt(parentSchema, 'properties')));
  const close = closest(foreign, known);
  return close.length > 0 ? `; did you mean ${close.join(' or ')}?` : `; it has ${known.join(', ')}`;
}

function ruleOf({ keyword, params, message, parentSchema }: ErrorObject): string {
  const description = valueAt(parentSchema, 'description');
  if (keyword === 'required') return `needs ${String(valueAt(params, 'missingProperty'))}`;
  if (keyword === 'enum') return `must be one of ${[valueAt(params, 'allowedValues')].flat().join(', ')}`;
  // Most users do not understand a pattern, so the description of the format is shown instead.
  if (keyword === 'pattern' && typeof description === 'string' && /^an? /.test(description))
    return `must be ${description}`;
  return message ?? 'is not valid';
}
