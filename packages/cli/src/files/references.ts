import { isIPv4 } from 'node:net';

import { isFields, valueAt } from '../documents.ts';
import { nounNamed } from '../nouns/index.ts';
import { scopes, type Named, type Noun, type Scope } from '../nouns/noun.ts';
import { isInPath, owningScopes } from '../resources.ts';
import type { Body, Manifest } from './manifest.ts';

/** A reference in a manifest to another resource, by name or id. */
export interface Reference {
  /** Such as `spec.networking.securityGroups.0`. */
  readonly path: string;
  readonly noun: Noun;
  readonly text: string;
  /** Whether it determines the scope of the resource. */
  readonly scope?: Scope;
  /** Whether the referenced resource determines the region in which other names are looked up. */
  readonly places: boolean;
  /** The value that is sent for the referenced resource. */
  sent(object: Named): unknown;
}

/** In the order of lookup: references that determine where others are looked up come first. */
export function referencesOf({ noun, body }: Pick<Manifest, 'noun' | 'body'>): readonly Reference[] {
  return [...scopeReferences(noun, body), ...fieldReferences(noun, body), ...memberReferences(noun, body)];
}

/** The scopes that a manifest can set: those in the body, and those in the path of the request. */
export function placingScopes(noun: Noun): readonly Scope[] {
  const owners = owningScopes(noun);
  return scopes.filter((scope) => owners.includes(scope) || isInPath(noun.writePath ?? noun.path, scope));
}

function scopeReferences(noun: Noun, body: Body): readonly Reference[] {
  return placingScopes(noun).flatMap((scope) => {
    const text = body.spec[`${scope}Id`];
    return typeof text === 'string'
      ? [{ path: `spec.${scope}Id`, noun: nounNamed(scope), text, scope, places: false, sent: idOf }]
      : [];
  });
}

function fieldReferences(noun: Noun, body: Body): readonly Reference[] {
  return noun.fields.flatMap((field): readonly Reference[] => {
    if (field.noun === undefined) return [];
    const named = nounNamed(field.noun);
    const said = valueAt(body, field.path);
    const elements = Array.isArray(said)
      ? said.map((element: unknown, index) => [`${field.path}.${index}`, element] as const)
      : [[field.path, said] as const];
    return elements.flatMap(([path, text]) =>
      typeof text === 'string'
        ? [
            {
              path,
              noun: named,
              text,
              places: field.places ?? false,
              sent: (object) => (field.refer ? field.refer(object) : object.metadata.id),
            },
          ]
        : [],
    );
  });
}

/**
 * The address of an instance is not known before it exists, so members of a load balancer may be given as instance
 * names.
 */
function memberReferences({ name }: Noun, { spec }: Body): readonly Reference[] {
  if (name !== 'loadbalancer') return [];
  return elementsOf(spec['listeners']).flatMap((listener, index) =>
    elementsOf(valueAt(listener, 'pool.members')).flatMap((member, position): readonly Reference[] => {
      const text = valueAt(member, 'address');
      if (typeof text !== 'string' || isIPv4(text)) return [];
      return [
        {
          path: `spec.listeners.${index}.pool.members.${position}.address`,
          noun: nounNamed('instance'),
          text,
          places: false,
          sent: (object) => valueAt(object, 'status.privateIP'),
        },
      ];
    }),
  );
}

function elementsOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

function idOf({ metadata }: Named): string {
  return metadata.id;
}

/** A copy with new values at some paths; `undefined` removes the value. */
export function substituted(value: unknown, values: ReadonlyMap<string, unknown>, path = ''): unknown {
  if (values.has(path)) return values.get(path);
  const inner = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`);
  if (Array.isArray(value)) return value.map((element, index) => substituted(element, values, inner(index)));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      const said = substituted(each, values, inner(key));
      return said === undefined ? [] : [[key, said] as const];
    }),
  );
}
