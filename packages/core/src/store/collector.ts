import type { OwnerReference, Resource } from '../kinds/index.ts';
import { finalizers } from '../resource/index.ts';
import type { FeedChange } from './feed.ts';

/** A task of garbage collection after a change. It contains names and not objects, because many tasks may wait. */
export type Visit =
  | ({ readonly type: 'object' } & Pick<OwnerReference, 'apiVersion' | 'kind' | 'name'>)
  | { readonly type: 'dependents'; readonly uid: string };

/** `waiting`: marked for deletion, and kept until its dependents are deleted. */
export type OwnerState = 'present' | 'waiting' | 'absent';

/** Most decisions only read the owners, so the other properties may be getters that ask the store. */
export interface Surroundings {
  readonly owners: readonly { readonly reference: OwnerReference; readonly state: OwnerState }[];
  /** Objects that name this one as their owner, without itself. */
  readonly dependents: 'none' | 'free' | 'blocking';
  /** Whether one of the dependents also waits for this object. */
  readonly circular: boolean;
}

export type CollectionStep =
  | { readonly type: 'keep' }
  /** Its dependents are deleted: the finalizer that waited for them is removed. */
  | { readonly type: 'release' }
  /** Another owner keeps it; owners that are deleted or being deleted are removed from it. */
  | { readonly type: 'disown'; readonly owners: ReadonlySet<string> }
  | { readonly type: 'delete'; readonly propagation?: 'foreground' }
  /** It and its owner wait for each other: it stops blocking its owner. */
  | { readonly type: 'unblock' };

export function isWaiting({ metadata }: Resource): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers?.includes(finalizers.foreground) ?? false);
}

export function visitsAfter({ type, object, previous }: Pick<FeedChange, 'type' | 'object' | 'previous'>): Visit[] {
  const owners = object.metadata.ownerReferences ?? [];
  const { name, uid } = object.metadata;
  const toOwners = (references: readonly OwnerReference[]) =>
    references.map((reference) => visitTo(reference, reference.name));
  if (type === 'deleted') return [{ type: 'dependents', uid }, ...toOwners(owners)];
  const visits = toOwners(previous?.metadata.ownerReferences ?? []);
  if (isWaiting(object)) visits.push(visitTo(object, name), { type: 'dependents', uid });
  else if (owners.length > 0 && (type === 'added' || previous)) visits.push(visitTo(object, name));
  return visits;
}

function visitTo({ apiVersion, kind }: Pick<OwnerReference, 'apiVersion' | 'kind'>, name: string): Visit {
  return { type: 'object', apiVersion, kind, name };
}

/** Decides whether an object is collected, with the rules of the garbage collector of Kubernetes. */
export function collectionStep(object: Resource, around: Surroundings): CollectionStep {
  const { owners } = around;
  if (isWaiting(object)) return around.dependents === 'blocking' ? { type: 'keep' } : { type: 'release' };
  const going = owners.filter(({ state }) => state !== 'present');
  if (object.metadata.deletionTimestamp !== undefined || going.length === 0) return { type: 'keep' };
  if (going.length < owners.length)
    return { type: 'disown', owners: new Set(going.map(({ reference }) => reference.uid)) };
  if (around.dependents === 'none' || going.every(({ state }) => state === 'absent')) return { type: 'delete' };
  return around.circular && owners.some(({ reference }) => reference.blockOwnerDeletion)
    ? { type: 'unblock' }
    : { type: 'delete', propagation: 'foreground' };
}
