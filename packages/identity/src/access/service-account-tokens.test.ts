import { describe, expect, it } from 'vitest';

import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { virtualWorld } from '@unikorn/core/testing';

import { identityKinds, ServiceAccount } from '../kinds/index.ts';
import { Founder } from '../testing/founder.ts';
import { eitherVerifier, serviceAccountVerifier } from './service-account-tokens.ts';

const day_ms = 24 * 3600_000;

async function robot() {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: identityKinds });
  const { id, token } = await new Founder(store, world).serviceAccount('a0000000-0000-4000-8000-000000000001');
  return { world, store, id, token, verifier: serviceAccountVerifier({ store, world }) };
}

describe("a service account's token", () => {
  it('is valid for exactly 90 days', async () => {
    const { world, id, token, verifier } = await robot();
    const holder = {
      subject: id,
      serviceAccountId: id,
      accountType: 'service',
      organizationIds: ['a0000000-0000-4000-8000-000000000001'],
      expiresAt: world.now() + 90 * day_ms,
    };
    expect(await verifier.verify(token)).toEqual(holder);
    await world.advance(90 * day_ms - 1);
    expect(await verifier.verify(token)).toEqual(holder);
    await world.advance(1);
    expect(await verifier.verify(token)).toBeUndefined();
  });

  it('is not valid only because its label matches', async () => {
    const { store, id, token, verifier } = await robot();
    const account = await store.get(ServiceAccount, id);
    if (account)
      await store.update(ServiceAccount, {
        ...account,
        spec: { ...account.spec, tokenDigest: `${account.spec.tokenDigest.slice(0, 62)}zz` },
      });
    expect(await verifier.verify(token)).toBeUndefined();
  });

  it('ends with the account', async () => {
    const { store, id, token, verifier } = await robot();
    await store.delete(ServiceAccount, id);
    expect(await verifier.verify(token)).toBeUndefined();
  });

  it("is distinguished from a user's token by its prefix", async () => {
    const { token, verifier } = await robot();
    const asked: string[] = [];
    const users = { verify: (presented: string) => Promise.resolve(void asked.push(presented)) };
    const either = eitherVerifier(verifier, users);
    expect(await either.verify(token)).toBeDefined();
    expect(await either.verify('eyJ0.something')).toBeUndefined();
    expect(asked).toEqual(['eyJ0.something']);
  });
});
