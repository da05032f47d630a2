import type { Kind, Metadata } from '../kinds/index.ts';
import { finalizers } from './keys.ts';

/** Something that uses an object and thereby holds up its deletion. */
export interface Reference {
  /** `<plural>.<group>` of the user. */
  readonly kind: string;
  readonly id: string;
}

/** How a user is named in a reference: `<plural>.<group>/<id>`. */
export function referenceOf(user: Kind, id: string): string {
  return `${user.id}/${id}`;
}

function isForeign(finalizer: string): boolean {
  return finalizer !== finalizers.framework && finalizer !== finalizers.foreground;
}

/** Parses a reference into kind and id. */
export function parseReference(reference: string): Reference {
  const slash = reference.indexOf('/');
  return slash < 0 ? { kind: reference, id: '' } : { kind: reference.slice(0, slash), id: reference.slice(slash + 1) };
}

/**
 * Finalizers of others than the platform itself: an operator's, and in a state of an older version those of users. Any
 * of them holds up a deletion.
 */
export function foreignFinalizers({ finalizers: held = [] }: Pick<Metadata, 'finalizers'>): readonly string[] {
  return held.filter(isForeign);
}

export function withFinalizer(metadata: Pick<Metadata, 'finalizers'>, finalizer: string): readonly string[] {
  const present = metadata.finalizers ?? [];
  return present.includes(finalizer) ? present : [...present, finalizer];
}

export function withoutFinalizer(metadata: Pick<Metadata, 'finalizers'>, finalizer: string): readonly string[] {
  return (metadata.finalizers ?? []).filter((other) => other !== finalizer);
}
