import picocolors from 'picocolors';
import { expect, it } from 'vitest';

import type { InstanceHistory } from '@unikorn/sdk';

import { actorsIn, renderHistory } from './render-history.ts';

const entries: InstanceHistory = [
  { time: '2026-11-15T12:00:00.100000Z', uid: 'a', type: 'intent', action: 'create', actor: 's1', outcome: 'accepted' },
  { time: '2026-11-15T12:00:00.200000Z', uid: 'a', type: 'saga', action: 'charge', actor: 's1', outcome: 'done' },
  {
    time: '2026-11-15T12:00:00.300000Z',
    uid: 'a',
    type: 'call',
    action: 'createServer',
    actor: 's1',
    outcome: 'failed',
    message: 'the region does not answer',
    times: 3,
  },
  { time: '2026-11-15T12:00:01.000000Z', uid: 'a', type: 'transition', action: 'power', outcome: 'Building' },
  { time: '2026-11-15T12:00:09.000000Z', uid: 'a', type: 'transition', action: 'power', outcome: 'Running' },
  {
    time: '2026-11-15T12:01:00.000000Z',
    uid: 'a',
    type: 'plan',
    action: 'plan',
    actor: 'bob@example.com',
    outcome: 'rebuild',
    changes: [{ field: 'spec.imageId', action: 'rebuild' }],
  },
  { time: '2026-11-15T12:02:00.000000Z', uid: 'b', type: 'transition', action: 'power', outcome: 'Building' },
];

it('a history shows time, user, action, and old and new state, but never across two instances with one name', () => {
  expect(renderHistory(entries, (_noun, id) => (id === 's1' ? 'deployer' : id), picocolors.createColors(false)))
    .toMatchInlineSnapshot(`
    "TIME                   WHO               WHAT                OUTCOME              DETAIL
    2026-11-15T12:00:00Z   deployer          create              accepted
    2026-11-15T12:00:00Z   deployer          step charge         done
    2026-11-15T12:00:00Z   deployer          call createServer   failed               the region does not answer; 3 times
    2026-11-15T12:00:01Z                     power               Building
    2026-11-15T12:00:09Z                     power               Building → Running
    2026-11-15T12:01:00Z   bob@example.com   plan                rebuild              imageId
    2026-11-15T12:02:00Z                     power               Building
    "
  `);
});

it('every user is looked up once', () => {
  expect(actorsIn(entries)).toEqual([
    { noun: 'serviceaccount', id: 's1' },
    { noun: 'serviceaccount', id: 'bob@example.com' },
  ]);
});
