import { expect, it } from 'vitest';

import type { Request, ServerEvent } from '../http/index.ts';
import { silentTelemetry } from '../testing/index.ts';
import { id, moved, stage } from './keeping.fixture.ts';
import { partsPerMerge } from './merging.ts';
import { historyEvents } from './stream.ts';

async function watched() {
  const { history, store, world, thing } = await stage();
  const stop = new AbortController();
  const acl = { global: [{ name: 'test:things', operations: ['read'] }] };
  const caller = { subject: 'jane', accountType: 'user', principal: {}, impersonating: false };
  const request = {
    headers: { 'last-event-id': '1.0123456789abcdef' },
    acl,
    caller,
    url: '/history',
    signal: stop.signal,
    runtime: { store, world, telemetry: silentTelemetry(), instance: 'a' },
    reauthorize: () => Promise.resolve({ acl, caller }),
  } as unknown as Request;
  const seen: string[] = [];
  const start = (limit: number) =>
    (async () => {
      for await (const { event, data } of historyEvents(history, request, id, limit)) seen.push(inShort(event, data));
    })();
  return { history, world, thing, seen, start, stop };
}

function inShort(event: ServerEvent['event'], data: unknown): string {
  const { action = '', outcome = '' } = data as { readonly action?: string; readonly outcome?: string };
  return event === 'added' ? `${action} ${outcome}` : event;
}

it('a history as a stream begins with the latest entries and goes on with each new one, the deletion included', async () => {
  const { history, world, thing, seen, start, stop } = await watched();
  await history.commit(id, moved('Building'));
  await history.commit(id, moved('Running'));
  const running = start(2);
  await world.settle();
  expect(seen).toEqual(['power Building', 'power Running', 'synced']);
  await history.commit(id, moved('Stopped'));
  await world.settle();
  await history.recordDeletion(thing);
  await world.settle();
  expect(seen.slice(3)).toEqual(['power Stopped', 'deletion gone']);
  stop.abort();
  await running;
});

it('a history as a stream shows no entry twice when parts are merged', async () => {
  const { history, world, seen, start, stop } = await watched();
  const running = start(10);
  await world.settle();
  const outcomes = Array.from({ length: partsPerMerge + 5 }, (_, index) => String(index));
  for (const outcome of outcomes) await history.commit(id, moved(outcome));
  await world.settle();
  expect(seen.filter((one) => one.startsWith('power'))).toEqual(outcomes.map((outcome) => `power ${outcome}`));
  stop.abort();
  await running;
});
