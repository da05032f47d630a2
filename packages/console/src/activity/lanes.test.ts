import { expect, it } from 'vitest';

import { folded, laneOf, merged, type Entry } from './lanes.ts';

function entry(time: string, changes: Partial<Entry> = {}): Entry {
  return {
    time,
    action: 'update',
    outcome: 'accepted',
    actor: 'ada@example.com',
    resource: { kind: 'instance', id: '1', name: 'web' },
    organizationId: 'o',
    projectId: 'p',
    ...changes,
  };
}

it('each entry is in one lane', () => {
  expect(laneOf(entry('1'))).toBe('changes');
  expect(laneOf(entry('1', { action: 'sshkey' }))).toBe('access');
  expect(laneOf(entry('1', { action: 'sshkey', outcome: 'refused' }))).toBe('refused');
  expect(laneOf(entry('1', { cause: 'project shop' }))).toBe('machinery');
  expect(laneOf(entry('1', { resource: { kind: 'server', id: '2' } }))).toBe('machinery');
});

it('entries of all services are in the order of time, without those after which a service is not read yet', () => {
  const times = merged([
    { entries: [entry('5'), entry('3')], hasMore: true },
    { entries: [entry('4', { action: 'stop' }), entry('1', { action: 'stop' })], hasMore: false },
  ]).map(({ time }) => time);
  expect(times).toEqual(['5', '4', '3']);
});

it('the same entry of a page and of the stream is shown once', () => {
  expect(merged([{ entries: [entry('5'), entry('5')], hasMore: false }])).toHaveLength(1);
});

it('repeats are folded, and other entries between them part them', () => {
  const folds = folded([entry('5'), entry('4'), entry('3', { action: 'stop' }), entry('2')]);
  expect(folds.map(({ times, since }) => [times, since])).toEqual([
    [2, '4'],
    [1, '3'],
    [1, '2'],
  ]);
});
