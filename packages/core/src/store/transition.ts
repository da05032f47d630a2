import { isDeepStrictEqual } from 'node:util';

import { defined } from '../defined.ts';
import { Problem } from '../errors/index.ts';
import type { Draft, Kind, Resource, WritableMetadata } from '../kinds/index.ts';
import { annotations, finalizers } from '../resource/index.ts';
import { timestamp } from '../world/index.ts';
import { readBack } from './encoding.ts';
import type { Change, DeleteOptions, StatusChange } from './store.ts';

/**
 * The transition of an object. `removed` contains the state that its writer gets; watchers get the last stored state.
 * The object is in the form in which it would be read, and not shared with other code.
 */
export type Transition =
  | { readonly type: 'unchanged' }
  | { readonly type: 'stored'; readonly object: Resource }
  | { readonly type: 'removed'; readonly object: Resource };

interface Birth {
  readonly uid: string;
  readonly now: number;
  /** The trace of the request that sets the spec, if it is recorded. */
  readonly traceparent?: string | undefined;
}

const notYetVersioned = '';

export function created(kind: Kind, draft: Draft, { uid, now, traceparent }: Birth): Resource {
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: {
      ...readBack(writable(traced(draft.metadata, traceparent))),
      uid,
      resourceVersion: notYetVersioned,
      generation: 1,
      creationTimestamp: timestamp(now),
    },
    spec: readBack(draft.spec),
  };
}

export function updated(previous: Resource, change: Change<Kind>, traceparent?: string): Transition {
  const spec = readBack(change.spec);
  const specChanged = !isDeepStrictEqual(spec, previous.spec);
  const wanted = readBack(writable(change.metadata));
  if (!specChanged && isDeepStrictEqual(wanted, writable(previous.metadata))) return { type: 'unchanged' };
  assertNoNewFinalizers(previous, wanted.finalizers ?? []);
  const { uid, resourceVersion, generation, creationTimestamp, deletionTimestamp } = previous.metadata;
  const metadata = {
    ...writable(specChanged ? traced(wanted, traceparent) : wanted),
    uid,
    resourceVersion,
    generation: specChanged ? generation + 1 : generation,
    creationTimestamp,
    ...defined({ deletionTimestamp }),
  };
  const object = { ...previous, metadata, spec: specChanged ? spec : previous.spec };
  return { type: deletionTimestamp !== undefined && !metadata.finalizers ? 'removed' : 'stored', object };
}

export function statusUpdated(previous: Resource, change: StatusChange<Kind>): Transition {
  const status = readBack(change.status);
  if (isDeepStrictEqual(status, previous.status)) return { type: 'unchanged' };
  const { apiVersion, kind, metadata, spec } = previous;
  return { type: 'stored', object: { apiVersion, kind, metadata, spec, ...defined({ status }) } };
}

/** An object with finalizers is marked once; an object without any is removed. */
export function deleted(previous: Resource, options: DeleteOptions, now: number): Transition {
  const { uid, resourceVersion } = options.preconditions ?? {};
  if (uid !== undefined && uid !== previous.metadata.uid)
    throw new Problem('conflict', `${previous.metadata.name} is not the object that the request wants to delete`);
  if (resourceVersion !== undefined) assertCurrent(previous, resourceVersion);
  const held = holders(previous.metadata.finalizers ?? [], options.propagation);
  if (held.length === 0) return { type: 'removed', object: previous };
  const { metadata } = previous;
  if (metadata.deletionTimestamp === undefined) {
    const marked = {
      ...metadata,
      finalizers: held,
      generation: metadata.generation + 1,
      deletionTimestamp: timestamp(now),
    };
    return { type: 'stored', object: { ...previous, metadata: marked } };
  }
  if (isDeepStrictEqual(held, metadata.finalizers)) return { type: 'unchanged' };
  return { type: 'stored', object: { ...previous, metadata: { ...metadata, finalizers: held } } };
}

/** A deletion that names its propagation replaces that of an earlier deletion. */
function holders(current: readonly string[], propagation: DeleteOptions['propagation']): readonly string[] {
  switch (propagation) {
    case undefined:
      return current;
    case 'background':
      return current.filter((finalizer) => finalizer !== finalizers.foreground);
    case 'foreground':
      return current.includes(finalizers.foreground) ? current : [...current, finalizers.foreground];
  }
}

/** A decision about one version of an object must not be applied to another version. */
export function assertCurrent({ metadata }: Resource, version: string): void {
  if (metadata.resourceVersion !== version) throw changedMeanwhile(metadata.name);
}

export function changedMeanwhile(name: string): Problem {
  return new Problem('conflict', `${name} has changed since it was read: read it again and repeat the change`);
}

function assertNoNewFinalizers({ metadata }: Resource, wanted: readonly string[]): void {
  if (metadata.deletionTimestamp === undefined) return;
  const added = wanted.find((finalizer) => !metadata.finalizers?.includes(finalizer));
  if (added !== undefined)
    throw new Problem(
      'invalid_object',
      `finalizer ${added} cannot be added to ${metadata.name}, which is being deleted`,
    );
}

/** A missing list or map is equal to an empty one, because Kubernetes stores neither. */
function writable({ name, labels, annotations, finalizers, ownerReferences }: WritableMetadata): WritableMetadata {
  return {
    name,
    ...(labels && Object.keys(labels).length > 0 ? { labels } : {}),
    ...(annotations && Object.keys(annotations).length > 0 ? { annotations } : {}),
    ...(finalizers?.length ? { finalizers } : {}),
    ...(ownerReferences?.length ? { ownerReferences } : {}),
  };
}

function traced(metadata: WritableMetadata, traceparent: string | undefined): WritableMetadata {
  return traceparent === undefined
    ? metadata
    : { ...metadata, annotations: { ...metadata.annotations, [annotations.traceparent]: traceparent } };
}
