import { CompactEncrypt } from 'jose';
import { describe, expect, it } from 'vitest';

import { rekey } from '@unikorn/core/sealing';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { virtualWorld } from '@unikorn/core/testing';

import { SigningKey, signingKeyName } from '../kinds/oauth2.ts';
import { waits } from '../limits.ts';
import { SigningKeys } from './keys.ts';
import { identityResealing } from './resealing.ts';
import { Sealer } from './sealing.ts';

function start(fill = 1) {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [SigningKey] });
  const process = (key = fill) => new SigningKeys({ store, world, sealer: new Sealer(new Uint8Array(32).fill(key)) });
  return { world, store, process };
}

const kids = async (keys: SigningKeys) => (await keys.current()).map(({ kid }) => kid);

describe('signing keys', () => {
  it('are agreed on by processes that start at the same time', async () => {
    const { process } = start();
    const seen = await Promise.all(Array.from({ length: 5 }, () => kids(process())));
    expect(new Set(seen.flat()).size).toBe(1);
  });

  it('are rotated once, for any number of processes', async () => {
    const { world, store, process } = start();
    const processes = [process(), process(), process()];
    const [before] = await kids(process());
    await world.advance(waits.keyRotation_ms);
    await Promise.all(processes.map((keys) => keys.rotateIfDue()));
    await Promise.all(processes.map((keys) => keys.rotateIfDue()));
    const after = await Promise.all(processes.map(kids));
    expect((await store.get(SigningKey, signingKeyName))?.spec.keys).toHaveLength(2);
    expect(after.every(([signing, announced]) => signing === before && announced === after[0]?.[1])).toBe(true);
  });

  it('are read by a process with a new encryption key that also has the earlier one', async () => {
    const { world, store, process } = start(1);
    const [first] = await kids(process());
    const sealer = new Sealer(new Uint8Array(32).fill(2), new Uint8Array(32).fill(1));
    expect(await kids(new SigningKeys({ store, world, sealer }))).toEqual([first]);
    await expect(kids(process(2))).rejects.toThrow('cannot be decrypted');
  });

  it('do not need an earlier encryption key any more after they were encrypted again', async () => {
    const { store, process } = start(1);
    const [first] = await kids(process());
    const [current, earlier] = [new Uint8Array(32).fill(2), new Uint8Array(32).fill(1)];
    const ofKeys = identityResealing(current, earlier).filter(({ kind }) => kind.id === SigningKey.id);
    expect(await rekey(store, ofKeys)).toBe(1);
    expect(await kids(process(2))).toEqual([first]);
  });

  it('are loaded by other processes before they sign', async () => {
    const { world, process } = start();
    const [one, other] = [process(), process()];
    await kids(other);
    await world.advance(waits.keyRotation_ms);
    await one.rotateIfDue();
    await world.advance(60_000);
    expect(await kids(other)).toHaveLength(2);
  });

  it('are not readable in the store, and not with another encryption key', async () => {
    const { store, process } = start();
    await kids(process());
    expect(JSON.stringify(await store.get(SigningKey, signingKeyName))).not.toMatch(/"d"|PRIVATE/);
    await expect(process(2).current()).rejects.toThrow('start the server with the encryption key');
    await expect(process().current()).resolves.toHaveLength(1);
  });

  it('need an encryption key of the right size', () => {
    expect(() => new Sealer(new Uint8Array(16))).toThrow('32 bytes');
  });
});

describe('sealing', () => {
  it('decrypts data of the same purpose, unchanged', async () => {
    const sealer = new Sealer(new Uint8Array(32).fill(3));
    const sealed = sealer.seal('artifacts', 'a secret ☃', 'here');
    expect(await sealer.open('artifacts', sealed)).toBe('a secret ☃');
    expect(await sealer.open('provider-secrets', sealed)).toBeUndefined();
    expect(await sealer.open('artifacts', `${sealed.slice(0, -2)}AA`)).toBeUndefined();
    expect(await sealer.open('artifacts', 'a secret ☃')).toBeUndefined();
    expect(sealer.seal('artifacts', 'a secret ☃', 'there')).not.toBe(sealed);
    expect(sealer.seal('provider-secrets', 'a secret ☃', 'here')).not.toBe(sealed);
  });

  it('decrypts the JWE of earlier versions, for the same purpose and with the same key', async () => {
    const sealer = new Sealer(new Uint8Array(32).fill(3));
    const former = await new CompactEncrypt(Buffer.from('a secret ☃'))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(sealer.keyFor('artifacts'));
    expect(await sealer.open('artifacts', former)).toBe('a secret ☃');
    expect(await sealer.open('provider-secrets', former)).toBeUndefined();
    expect(await new Sealer(new Uint8Array(32).fill(4)).open('artifacts', former)).toBeUndefined();
  });
});
