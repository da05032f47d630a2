import { isProblem, Problem } from '../errors/index.ts';
import { kindWords, type Kind } from '../kinds/index.ts';
import { withFinalizer, withoutFinalizer } from '../resource/index.ts';
import { modify } from './modify.ts';
import type { Store } from './store.ts';

/** Keeps an object from being deleted while `reference` uses it. Add before use; one that is going already is refused. */
export async function addReference(store: Store, kind: Kind, name: string, reference: string): Promise<void> {
  await modify(store, kind, name, (object) => {
    if (object.metadata.finalizers?.includes(reference)) return undefined;
    if (object.metadata.deletionTimestamp !== undefined) throw new Problem('invalid_request', `${kindWords(kind)} ${name} is being deleted`);
    return { ...object, metadata: { ...object.metadata, finalizers: withFinalizer(object.metadata, reference) } };
  });
}

/** Lets go of an object, once what used it is really gone. An object that is gone itself needs no letting go. */
export async function removeReference(store: Store, kind: Kind, name: string, reference: string): Promise<void> {
  try {
    await modify(store, kind, name, (object) =>
      object.metadata.finalizers?.includes(reference) ? { ...object, metadata: { ...object.metadata, finalizers: withoutFinalizer(object.metadata, reference) } } : undefined,
    );
  } catch (error) {
    if (!isProblem(error, 'not_found')) throw error;
  }
}
