import { expect, it } from 'vitest';

import type { Request, ServerEvent } from '../http/index.ts';
import { internalLimits } from '../limits.ts';
import { labels } from '../resource/index.ts';
import { matching } from '../store/index.ts';
import { silentTelemetry } from '../testing/index.ts';
import { activityEvents } from './activity-stream.ts';
import { historyEvents } from './history-stream.ts';
import { id, moved, stage, storage } from './keeping.fixture.ts';

async function watched() {
  const { history, store, world, thing } = await stage();
  await history.read(id, {});
  const acl = { global: [{ name: 'test:things', operations: ['read'] }] };
  const caller = { subject: 'jane', accountType: 'user', principal: {}, impersonating: false };
  const requestFrom = (lastEventId: string, signal: AbortSignal) =>
    ({
      headers: { 'last-event-id': lastEventId },
      acl,
      caller,
      url: '/history',
      signal,
      runtime: { store, world, telemetry: silentTelemetry(), instance: 'a' },
      reauthorize: () => Promise.resolve({ acl, caller }),
    }) as unknown as Request;
  /** Follows until it is stopped; only entries, `synced` and `reset` are kept. */
  const follow = (open: (request: Request) => AsyncIterable<ServerEvent>, lastEventId = '') => {
    const stop = new AbortController();
    const seen: string[] = [];
    const ids: (string | undefined)[] = [];
    const ended = (async () => {
      for await (const { event, id: at, data } of open(requestFrom(lastEventId, stop.signal))) {
        if (event === 'bookmark') continue;
        seen.push(inShort(event, data));
        ids.push(at);
      }
    })();
    const end = async () => {
      await world.settle();
      stop.abort();
      await world.settle();
      await ended;
      return seen;
    };
    return { seen, ids, end };
  };
  const start = (limit: number, lastEventId = '') =>
    follow((request) => historyEvents(history, request, id, limit), lastEventId);
  const view = { selector: matching({ [labels.project]: 'p' }), resourceOf: () => 'thing' };
  const startActivity = (limit: number, lastEventId = '') =>
    follow((request) => activityEvents(storage, () => [view], request, limit), lastEventId);
  return { history, store, world, thing, start, startActivity };
}

function inShort(event: ServerEvent['event'], data: unknown): string {
  const { action = '', outcome = '' } = data as { readonly action?: string; readonly outcome?: string };
  return event === 'added' ? `${action} ${outcome}` : event;
}

it('a history as a stream begins with the latest entries and continues with each new one, including the deletion', async () => {
  const { history, world, thing, start } = await watched();
  await history.commit(id, moved('Building'));
  await history.commit(id, moved('Running'));
  const { seen, end } = start(2);
  await world.settle();
  expect(seen).toEqual(['power Building', 'power Running', 'synced']);
  await history.commit(id, moved('Stopped'));
  await world.settle();
  await history.recordDeletion(thing);
  expect((await end()).slice(3)).toEqual(['power Stopped', 'deletion gone']);
});

it('a history as a stream shows no entry twice when parts are merged', async () => {
  const { history, world, start } = await watched();
  const { end } = start(10);
  await world.settle();
  const outcomes = Array.from({ length: internalLimits.historyPartsPerMerge + 5 }, (_, index) => String(index));
  for (const outcome of outcomes) await history.commit(id, moved(outcome));
  expect((await end()).filter((one) => one.startsWith('power'))).toEqual(outcomes.map((outcome) => `power ${outcome}`));
});

it('a stream that was cut after any entry continues with the next one, also in the middle of a part and after a merge', async () => {
  const { history, world, thing, start } = await watched();
  const whole = start(10);
  await world.settle();
  for (let index = 0; index < internalLimits.historyPartsPerMerge + 2; index++) {
    // Two entries that are written together.
    history.record(id, moved(`${index}a`));
    await history.commit(id, moved(`${index}b`));
    await world.settle();
  }
  await history.recordDeletion(thing);
  const { ids } = whole;
  const seen = await whole.end();
  expect(seen).toHaveLength(2 + 2 * (internalLimits.historyPartsPerMerge + 2) + 1);
  const positioned = ids.flatMap((at, index) => (at === undefined ? [] : [{ at, index }]));
  expect(positioned.map(({ index }) => index)).toEqual(seen.map((_, index) => index).slice(1));
  // Entries of the two kinds come in the order of their kind.
  for (const { at, index } of positioned)
    expect((await start(10, at).end()).toSorted()).toEqual(seen.slice(index + 1).toSorted());
});

it('an entry that is written while a stream opens is shown once', async () => {
  const { history, start, startActivity } = await watched();
  const streams = [start(100), startActivity(100)];
  const actions = Array.from({ length: 20 }, (_, index) => `ask ${index}`);
  for (const action of actions) await history.commit(id, { type: 'intent', action, outcome: 'accepted' });
  for (const stream of streams)
    expect((await stream.end()).filter((one) => one.startsWith('ask'))).toEqual(
      actions.map((one) => `${one} accepted`),
    );
});

it('a stream starts over with the latest entries when its position is not valid', async () => {
  const { history, start } = await watched();
  await history.commit(id, moved('Running'));
  const whole = ['create accepted', 'power Running', 'synced'];
  const first = start(10);
  expect(await first.end()).toEqual(whole);
  const [position = ''] = first.ids.filter((at) => at !== undefined);
  const elsewhere = position.replaceAll(/\.[0-9a-f]{16}/g, '.0123456789abcdef');
  const ahead = position.replaceAll(/\d+\./g, '999999.');
  for (const at of ['garbage', '1.0123456789abcdef', '_', elsewhere, ahead, `${position}_9`, `${position}_0-1_0-1`])
    expect(await start(10, at).end(), at).toEqual(['reset', ...whole]);
});

it('an activity stream has the latest requests, then each new one, and continues where it was cut', async () => {
  const { history, world, startActivity } = await watched();
  const ask = (action: string) => history.commit(id, { type: 'intent', action, outcome: 'accepted' });
  await ask('first');
  await world.advance(10);
  await ask('second');
  await world.advance(10);
  const whole = startActivity(2);
  await world.settle();
  expect(whole.seen).toEqual(['first accepted', 'second accepted', 'synced']);
  history.record(id, moved('Running'));
  history.record(id, { type: 'intent', action: 'third', outcome: 'refused' });
  await ask('fourth');
  await ask('fifth');
  const { ids } = whole;
  const seen = await whole.end();
  expect(seen.slice(3)).toEqual(['third refused', 'fourth accepted', 'fifth accepted']);
  for (const index of [2, 3, 4, 5]) expect(await startActivity(2, ids[index]).end()).toEqual(seen.slice(index + 1));
});
