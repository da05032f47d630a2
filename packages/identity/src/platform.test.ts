import { expect, it } from 'vitest';

import { platformAccountId, platformToken } from './platform.ts';
import { startIdentity } from './testing/index.ts';

it('the platform account keeps its token while it is valid, and gets a new one if it is lost', async () => {
  const identity = await startIdentity({
    configuration: { globalBindings: { [platformAccountId]: ['platform-administrator'] } },
  });
  const { store, world, call } = identity;
  const first = await platformToken({ store, world });
  expect(await platformToken({ store, world }, first)).toBe(first);
  expect(
    (
      await call('POST', '/api/v1/organizations', {
        token: first,
        body: { metadata: { name: 'acme' }, spec: { organizationType: 'adhoc' } },
      })
    ).status,
  ).toBe(202);
  const second = await platformToken({ store, world }, 'uksa_forged');
  expect(second).not.toBe(first);
  expect((await call('GET', '/api/v1/organizations', { token: first })).status).toBe(401);
  expect((await call('GET', '/api/v1/organizations', { token: second })).status).toBe(200);
  await identity.stop();
});
