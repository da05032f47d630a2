import { describe, expect, it } from 'vitest';

import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { virtualWorld } from '@unikorn/core/testing';

import { userDirectory } from '../../access/index.ts';
import { OrganizationUser, User, userIdOf } from '../../kinds/index.ts';
import { UserPassword } from '../../kinds/oauth2.ts';
import { hashPassword, isPassword, recommendedCost, type Cost } from './password.ts';
import { Passwords } from './passwords.ts';

const cheap: Cost = { memory_kib: 8, passes: 1, parallelism: 1 };
const subject = 'alice@example.com';
const secret = 'correct horse battery staple';

async function start() {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [User, OrganizationUser, UserPassword] });
  const passwords = (cost = cheap) =>
    new Passwords({ store, world, users: userDirectory(store), cost, mayVouch: () => Promise.resolve(true) });
  const make = () => store.create(User, { metadata: { name: userIdOf(subject) }, spec: { subject, state: 'active' } });
  return { store, passwords, make, user: await make() };
}

describe('passwords', () => {
  it('are accepted from their owner only, in every Unicode form of the same letters', async () => {
    const { passwords, user } = await start();
    const all = passwords();
    await all.set(user, 'Zoë’s caﬁé number 1');
    expect((await all.verify(subject, 'Zoe\u0308’s cafié number 1'))?.user.metadata.name).toBe(user.metadata.name);
    for (const wrong of ['', secret, 'zoë’s caﬁé number 1', 'Zoë’s caﬁé number 1 '])
      expect(await all.verify(subject, wrong)).toBeUndefined();
    expect(await all.verify('bob@example.com', secret)).toBeUndefined();
  });

  it('are stored as argon2id with the recommended cost and their own salt', async () => {
    const { store, passwords, user } = await start();
    const all = passwords(recommendedCost);
    await all.set(user, secret);
    const first = await store.get(UserPassword, user.metadata.name);
    expect(first?.spec).toMatchObject({ memory_kib: 19456, passes: 2, parallelism: 1 });
    expect(JSON.stringify(first)).not.toContain(secret);
    await all.set(user, secret);
    expect((await store.get(UserPassword, user.metadata.name))?.spec.hash).not.toBe(first?.spec.hash);
  });

  it('are hashed again at the next login if the cost has changed', async () => {
    const { store, passwords, user } = await start();
    await passwords().set(user, secret);
    const dearer = { ...cheap, passes: 2 };
    await passwords(dearer).verify(subject, 'wrong wrong wrong');
    expect((await store.get(UserPassword, user.metadata.name))?.spec.passes).toBe(1);
    await passwords(dearer).verify(subject, secret);
    expect((await store.get(UserPassword, user.metadata.name))?.spec.passes).toBe(2);
    expect(await passwords(dearer).verify(subject, secret)).toBeDefined();
  });

  it('are deleted with the user', async () => {
    const { store, passwords, make, user } = await start();
    const all = passwords();
    await all.set(user, secret);
    await store.delete(User, user.metadata.name);
    const again = await make();
    expect(await all.verify(subject, secret)).toBeUndefined();
    await all.set(again, secret);
    expect(await all.verify(subject, secret)).toBeDefined();
  });

  it('have a sensible length', async () => {
    const { passwords, user } = await start();
    await expect(passwords().set(user, 'x'.repeat(11))).rejects.toThrow('12 to 256 characters');
    await expect(passwords().set(user, 'x'.repeat(257))).rejects.toThrow('12 to 256 characters');
    await passwords().set(user, 'x'.repeat(256));
    expect(await passwords().verify(subject, 'x'.repeat(257))).toBeUndefined();
  });
});

describe('hashing', () => {
  it('agrees with the reference implementation of argon2id', async () => {
    const { hash } = await hashPassword('password', Buffer.from('somesalt'), {
      memory_kib: 65536,
      passes: 2,
      parallelism: 1,
    });
    expect(Buffer.from(hash, 'base64url').toString('hex')).toBe(
      '09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7',
    );
  });

  it('distinguishes all passwords', async () => {
    const stored = await hashPassword(secret, new Uint8Array(16), cheap);
    expect(await isPassword(secret, stored)).toBe(true);
    expect(await isPassword(`${secret} `, stored)).toBe(false);
  });
});
