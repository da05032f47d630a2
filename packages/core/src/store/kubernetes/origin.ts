import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import type { OwnerReference, Resource } from '../../kinds/index.ts';

/**
 * The annotation with data that Kubernetes would assign anew. Objects that were moved from another store have it. Only
 * this engine sees it.
 */
const key = 'unikorn-cloud.org/origin';

const Origin = Type.Object({
  /** The identity and the times that the object has in all stores. */
  uid: Type.Optional(Type.String()),
  creationTimestamp: Type.Optional(Type.String()),
  deletionTimestamp: Type.Optional(Type.String()),
  /** Is added to the generation of Kubernetes. */
  generation: Type.Optional(Type.Integer()),
  /** The uids of owners that were moved, by the uids that the garbage collector of Kubernetes needs. */
  owners: Type.Optional(Type.Record(Type.String(), Type.String())),
});
const validator = Compile(Origin);

export type Origin = Readonly<Static<typeof Origin>>;

interface Place {
  /** The uid that Kubernetes assigned. */
  readonly uid: string;
  readonly origin: Origin;
}

/** Where decoded objects come from. Objects that were never moved, and have no moved owner, are not in it. */
const places = new WeakMap<Resource, Place>();

/** The origin of an object that this engine decoded. */
export function originOf(object: Resource): Origin {
  return places.get(object)?.origin ?? {};
}

/** The uid of an object in Kubernetes. */
export function assignedUid(object: Resource): string {
  return places.get(object)?.uid ?? object.metadata.uid;
}

export function rememberOrigin(object: Resource, uid: string, origin: Origin): void {
  places.set(object, { uid, origin });
}

/** The origin that a stored object has, and its other annotations. */
export function splitAnnotations(annotations: Readonly<Record<string, string>>): {
  readonly origin: Origin | undefined;
  readonly annotations: Readonly<Record<string, string>> | undefined;
} {
  if (!(key in annotations)) return { origin: undefined, annotations };
  const { [key]: text = '', ...others } = annotations;
  return { origin: parsed(text), annotations: Object.keys(others).length > 0 ? others : undefined };
}

/** The annotations to store. */
export function withOrigin(
  annotations: Readonly<Record<string, string>> | undefined,
  origin: Origin,
): Readonly<Record<string, string>> | undefined {
  return Object.keys(origin).length === 0 ? annotations : { ...annotations, [key]: JSON.stringify(origin) };
}

/** The owners as the garbage collector of Kubernetes needs them. */
export function ownersInKubernetes(
  references: readonly OwnerReference[],
  { owners = {} }: Origin,
): readonly OwnerReference[] {
  const assigned = new Map(Object.entries(owners).map(([assigned, uid]) => [uid, assigned]));
  return references.map((reference) => ({ ...reference, uid: assigned.get(reference.uid) ?? reference.uid }));
}

/** The owners as all stores have them. */
export function ownersOutside(
  references: readonly OwnerReference[],
  { owners = {} }: Origin,
): readonly OwnerReference[] {
  return references.map((reference) => ({ ...reference, uid: owners[reference.uid] ?? reference.uid }));
}

/** An annotation that another tool has damaged is ignored. */
function parsed(text: string): Origin | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return validator.Check(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
