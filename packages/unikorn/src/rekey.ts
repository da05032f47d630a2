import { Problem } from '@unikorn/core/errors';
import { hasEarlierKey, rekey as rekeyStore, resealingOf, TextSealer, type Resealing } from '@unikorn/core/sealing';
import { objectsOf } from '@unikorn/core/migration';
import { Saga } from '@unikorn/core/saga';
import { systemWorld as world } from '@unikorn/core/world';
import { identityResealing } from '@unikorn/identity';

import type { Configuration } from './configuration/schema.ts';
import { sealedFields } from './serve/control-plane.ts';
import { encryptionKeys, type EncryptionKeys } from './serve/encryption-key.ts';
import { openStore } from './serve/open-store.ts';
import { silence } from './transfer/installation.ts';

type Settings = Pick<Configuration, 'state' | 'store'>;

/** How all secrets of an installation are encrypted again. */
export function resealings([key, ...earlier]: EncryptionKeys): readonly Resealing[] {
  return [...identityResealing(key, ...earlier), ...resealingOf(new TextSealer(key, ...earlier), sealedFields)];
}

export interface Rekeyed {
  /** How many objects were encrypted again. */
  readonly changed: number;
  /** How many sagas still need an earlier key. The input of a saga never changes, and goes with it. */
  readonly sagas: number;
}

/**
 * Encrypts all secrets with the first of the keys. Afterwards the other keys are not needed any more. Processes that
 * know all these keys can run meanwhile.
 */
export async function rekey({ state: { directory: state }, store: settings }: Settings): Promise<Rekeyed> {
  const keys = await encryptionKeys(settings, { state, world, started: true });
  if (keys.length === 1)
    throw new Problem(
      'invalid_request',
      'there is only one key, so nothing has to be encrypted again: add the new key as the first line of the key file',
    );
  const store = await openStore({ store: settings }, { state, acceptLoss: false, world, telemetry: silence(world) });
  try {
    const all = resealings(keys);
    const changed = await rekeyStore(
      store,
      all.filter(({ kind }) => kind.id !== Saga.id),
    );
    let sagas = 0;
    for (const resealing of all.filter(({ kind }) => kind.id === Saga.id))
      for await (const saga of objectsOf(store, Saga)) if (await hasEarlierKey(resealing, saga)) sagas++;
    return { changed, sagas };
  } finally {
    await store.close();
  }
}
