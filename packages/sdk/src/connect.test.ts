import { afterEach, expect, it } from 'vitest';

import { answer, events, perform, type Act, type Stage } from './service.fixture.ts';

let stage: Stage;
afterEach(() => stage.close());

const never: Act = () => undefined;

it('the signal of a connection aborts running requests, with its reason', async () => {
  const ending = new AbortController();
  stage = await perform([never], { signal: ending.signal });
  const asked = stage.unikorn.compute.GET('/api/v2/instances');
  ending.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
  expect(stage.slept).toEqual([]);
});

it('the signal of a connection ends streams, also those with their own signal', async () => {
  const ending = new AbortController();
  stage = await perform([events('event: synced\ndata: {}'), never], { signal: ending.signal });
  const changes = stage.unikorn.compute.follow('/api/v2/instances', { signal: new AbortController().signal });
  expect((await changes.next()).value).toEqual({ type: 'synced' });
  const next = changes.next();
  ending.abort(new Error('enough'));
  await expect(next).rejects.toThrow('enough');
});

it('requests with such a signal are sent completely', async () => {
  stage = await perform([answer(201, { metadata: { id: 'i' } })], { signal: new AbortController().signal });
  await stage.unikorn.region.untyped.send('POST', '/api/v2/networks', { body: { metadata: { name: 'web' } } });
  expect(stage.seen[0]?.body).toBe('{"metadata":{"name":"web"}}');
});
