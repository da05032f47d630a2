import { expect, it } from 'vitest';

import { internalLimits } from '../limits.ts';
import { matching } from '../store/index.ts';
import { labels } from '../resource/index.ts';
import { readActivity, type ActivityEntry, type ActivityView } from './activity.ts';
import { dayOf } from './archive.ts';
import { id, moved, stage, storage, ThingHistory } from './keeping.fixture.ts';

const everything: ActivityView = { selector: matching({ [labels.project]: 'p' }), resourceOf: () => 'thing' };
const verb = (action: string) => ({ type: 'intent', action, outcome: 'accepted', actor: 'jane@acme.com' }) as const;

it('activity contains the requests of callers, newest first, in pages, each entry once, also of deleted objects', async () => {
  const { world, store, history, thing } = await stage();
  const verbs = Array.from({ length: 7 }, (_, index) => `verb ${index}`);
  for (const action of verbs) {
    await world.advance(1_000);
    history.record(id, moved('Running'));
    await history.commit(id, verb(action));
  }
  await history.recordDeletion(thing);
  const seen: ActivityEntry[] = [];
  let token: string | undefined;
  do {
    const page = await readActivity(store, storage, [everything], 3, { token });
    expect(page.entries.length).toBeLessThanOrEqual(3);
    seen.push(...page.entries);
    token = page.continue;
  } while (token !== undefined);
  expect(seen.map(({ action }) => action)).toEqual([...verbs.toReversed(), 'create']);
  expect(seen[0]).toEqual({
    time: '2026-01-01T00:00:07.000000Z',
    action: 'verb 6',
    outcome: 'accepted',
    actor: 'jane@acme.com',
    resource: { kind: 'thing', id, name: 'a' },
    organizationId: 'o',
    projectId: 'p',
  });
});

it('a page of activity reads a bounded number of parts, however many there are, and has a token for the next page', async () => {
  let listed = 0;
  const { world, store, history } = await stage();
  for (let index = 0; index < 700; index++) {
    const other = `f0000000-0000-4000-8000-${String(index + 100).padStart(12, '0')}`;
    await store.create(ThingHistory, {
      metadata: {
        name: `0-${String(index).padStart(9, '0')}.b.${other}.${dayOf(world.now())}.x`,
        labels: { [storage.labels.subject]: other, [labels.organization]: 'o', [labels.project]: 'p' },
      },
      spec: { entries: [{ ...moved('Running'), time: '2026-01-01T00:00:00.000000Z' }] },
    });
  }
  await history.commit(id, verb('late'));
  const counting = new Proxy(store, {
    get: (target, key) =>
      key === 'list'
        ? async (...args: Parameters<typeof store.list>) => {
            const page = await target.list(...args);
            listed += page.items.length;
            return page;
          }
        : (Reflect.get(target, key) as unknown),
  });
  const first = await readActivity(counting, storage, [everything], 10);
  expect(first.entries).toEqual([]);
  expect(listed).toBeLessThanOrEqual(600);
  const second = await readActivity(counting, storage, [everything], 10, { token: first.continue });
  expect(second.entries.map(({ action }) => action)).toEqual(['create', 'late'].toReversed());
  expect(second.continue).toBeUndefined();
});

it('activity of several views is merged by time, and shows only the resources that a view shows', async () => {
  const { world, store, history } = await stage();
  const put = (name: string, project: string, action: string, time: string) =>
    store.create(ThingHistory, {
      metadata: {
        name,
        labels: { [storage.labels.subject]: id, [labels.organization]: 'o', [labels.project]: project },
      },
      spec: { entries: [{ ...verb(action), time }] },
    });
  const day = dayOf(world.now());
  await put(`0-000000002.b.${id}.${day}.x`, 'q', 'second', '2026-01-01T00:00:02.000000Z');
  await put(`0-000000001.b.${id}.${day}.x`, 'p', 'first', '2026-01-01T00:00:03.000000Z');
  await put(`0-000000003.b.${id}.${day}.x`, 'r', 'hidden', '2026-01-01T00:00:01.000000Z');
  await history.flush();
  const views: readonly ActivityView[] = [
    everything,
    {
      selector: matching({ [labels.project]: ['q', 'r'] }),
      resourceOf: ({ metadata }) => (metadata.labels?.[labels.project] === 'q' ? 'thing' : undefined),
    },
  ];
  const page = await readActivity(store, storage, views, 1);
  const rest = await readActivity(store, storage, views, 5, { token: page.continue });
  expect([...page.entries, ...rest.entries].map(({ action }) => action)).toEqual(['first', 'second']);
  await expect(readActivity(store, storage, [everything], 5, { token: page.continue })).rejects.toThrow('start again');
  await expect(readActivity(store, storage, views, 5, { token: 'garbage' })).rejects.toThrow('start again');
});

it('activity shows each request once when parts were merged, and continues in the middle of a merged part', async () => {
  const { world, store, history } = await stage();
  const verbs = Array.from({ length: internalLimits.historyPartsPerMerge + 3 }, (_, index) => `verb ${index}`);
  for (const action of verbs) {
    await world.advance(1);
    await history.commit(id, verb(action));
  }
  const seen: string[] = [];
  let token: string | undefined;
  do {
    const page = await readActivity(store, storage, [everything], 10, { token });
    seen.push(...page.entries.map(({ action }) => action));
    token = page.continue;
  } while (token !== undefined);
  expect(seen).toEqual([...verbs.toReversed(), 'create']);
});
