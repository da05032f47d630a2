import type { Kind, Metadata } from '../kinds/index.ts';
import { finalizers } from './keys.ts';

/** A user of an object, which blocks its deletion. */
export interface Reference {
  /** `<plural>.<group>` of the user. */
  readonly kind: string;
  readonly id: string;
}

/**
 * The reference text of a user: `<plural>.<group>/<id>`.
 *
 * @example referenceOf(Server, id) // servers.region.unikorn-cloud.org/4f…
 */
export function referenceOf(user: Kind, id: string): string {
  return `${user.id}/${id}`;
}

function isForeign(finalizer: string): boolean {
  return finalizer !== finalizers.framework && finalizer !== finalizers.foreground;
}

/**
 * Parses a reference into kind and id.
 *
 * @example const { kind, id } = parseReference('servers.region.unikorn-cloud.org/4f…');
 */
export function parseReference(reference: string): Reference {
  const slash = reference.indexOf('/');
  return slash < 0 ? { kind: reference, id: '' } : { kind: reference.slice(0, slash), id: reference.slice(slash + 1) };
}

/**
 * Finalizers that the platform did not set: those of operators and, in the state of an older version, those of users.
 * Each of them blocks a deletion.
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
