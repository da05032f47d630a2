import type { Kind, Metadata } from '../kinds/index.ts';
import { finalizers } from './keys.ts';

/** Something that uses an object and thereby holds up its deletion. */
export interface Reference {
  /** `<plural>.<group>` of the user. */
  readonly kind: string;
  readonly id: string;
}

/** The finalizer by which `user` holds on to an object: `<plural>.<group>/<id>`. */
export function referenceOf(user: Kind, id: string): string {
  return `${user.id}/${id}`;
}

function isReference(finalizer: string): boolean {
  return finalizer !== finalizers.framework && finalizer !== finalizers.foreground;
}

/** Who uses the object. Any of them blocks its deletion. */
export function referencesOf(metadata: Pick<Metadata, 'finalizers'>): readonly Reference[] {
  return (metadata.finalizers ?? []).filter(isReference).map((finalizer) => {
    const slash = finalizer.indexOf('/');
    return slash < 0 ? { kind: finalizer, id: '' } : { kind: finalizer.slice(0, slash), id: finalizer.slice(slash + 1) };
  });
}

export function withFinalizer(metadata: Pick<Metadata, 'finalizers'>, finalizer: string): readonly string[] {
  const present = metadata.finalizers ?? [];
  return present.includes(finalizer) ? present : [...present, finalizer];
}

export function withoutFinalizer(metadata: Pick<Metadata, 'finalizers'>, finalizer: string): readonly string[] {
  return (metadata.finalizers ?? []).filter((other) => other !== finalizer);
}
