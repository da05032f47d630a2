import { Type, type TObject } from 'typebox';

import { isProblem, Problem } from '../errors/index.ts';
import type { Kind, OwnerReference, Resource, SpecOf } from '../kinds/index.ts';
import { annotations as keys, finalizers } from '../resource/index.ts';
import { modify, type Store } from '../store/index.ts';

const Words = Type.Record(Type.String(), Type.String());

/**
 * The part of an object that a write sets, as a saga's input.
 *
 * @example input: Type.Object({ id: Type.String(), after: stateSchema(Network.spec) })
 */
export function stateSchema<Spec extends TObject>(spec: Spec) {
  return Type.Object({ labels: Words, annotations: Words, spec });
}

/**
 * The output of a last step that writes an object: the stored object, which is returned to the caller. The output of a
 * last step is not recorded, so this costs nothing.
 *
 * @example .step({ name: 'putNetwork', returns: storedSchema(Network), do: ({ input, sagaId }) => putObject(store, Network, input, sagaId) })
 */
export function storedSchema<K extends Kind>({ kind }: K) {
  return Type.Unsafe<Resource<K>>({ title: kind });
}

interface State<K extends Kind> {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: SpecOf<K>;
}

/** A change of one object, from the state that the writer read (or from nothing) to the new state. */
export interface Transition<K extends Kind> {
  readonly id: string;
  /** The owner of a new object: the object is deleted with it. */
  readonly owner?: OwnerReference | undefined;
  readonly before?: (State<K> & { readonly resourceVersion: string }) | undefined;
  readonly after: State<K>;
}

/**
 * The state of an object that its writer read.
 *
 * @example await sagas.run(writeUser, { id, before: existing && seenState(existing), after });
 */
export function seenState<K extends Kind>({
  metadata,
  spec,
}: Resource<K>): State<K> & { readonly resourceVersion: string } {
  return {
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    spec,
    resourceVersion: metadata.resourceVersion,
  };
}

/**
 * Writes the object and returns it. Fails with `conflict` if it has changed since the writer read it.
 *
 * @example do: ({ input, sagaId }) => putObject(store, Network, input, sagaId)
 */
export async function putObject<K extends Kind>(
  store: Store,
  kind: K,
  { id, owner, before, after }: Transition<K>,
  sagaId: string,
): Promise<Resource<K>> {
  const { labels, spec } = after;
  const annotations = { ...after.annotations, [keys.sagaId]: sagaId };
  if (!before)
    try {
      return await store.create(kind, {
        metadata: { name: id, labels, annotations, ...held(kind), ...(owner ? { ownerReferences: [owner] } : {}) },
        spec,
      });
    } catch (error) {
      // An earlier attempt of this run may have created it.
      const current = isProblem(error, 'conflict') ? await store.get(kind, id) : undefined;
      if (current && isOf(sagaId, current)) return current;
      throw error;
    }
  // The version protects the change, so the object may come from the copy in this process if it has that version.
  const copied = await store.get(kind, id, { cached: true });
  const current = copied?.metadata.resourceVersion === before.resourceVersion ? copied : await store.get(kind, id);
  if (!current) throw new Problem('conflict', 'it was deleted during the change');
  if (isOf(sagaId, current)) return current;
  return store.update(kind, {
    metadata: { ...current.metadata, resourceVersion: before.resourceVersion, labels, annotations },
    spec,
  });
}

/** Whether this run of a saga was the last to write the object. */
function isOf(sagaId: string, { metadata }: Pick<Resource, 'metadata'>): boolean {
  return metadata.annotations?.[keys.sagaId] === sagaId;
}

/**
 * An object with a controller gets the finalizer at creation: if it is deleted immediately, its charge must still be
 * released.
 */
function held({ realisation }: Kind): { readonly finalizers?: readonly string[] } {
  return realisation === 'controlled' ? { finalizers: [finalizers.framework] } : {};
}

/**
 * Restores the previous state of the object if this run was the last to write it. An object that this run created is
 * deleted, even if a controller has already started on it.
 *
 * @example undo: ({ input, sagaId }) => takeObjectBack(store, Network, input, sagaId)
 */
export async function takeObjectBack<K extends Kind>(
  store: Store,
  kind: K,
  { id, before }: Transition<K>,
  sagaId: string,
): Promise<void> {
  try {
    if (before) {
      const { labels, annotations, spec } = before;
      await modify(store, kind, id, (current) =>
        isOf(sagaId, current) ? { metadata: { ...current.metadata, labels, annotations }, spec } : undefined,
      );
      return;
    }
    const current = await store.get(kind, id);
    if (current && isOf(sagaId, current))
      await store.delete(kind, id, { preconditions: { uid: current.metadata.uid } });
  } catch (error) {
    // The object no longer exists, or another object has its name.
    if (!isProblem(error, 'not_found') && !(before === undefined && isProblem(error, 'conflict'))) throw error;
  }
}
