import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { defined } from '@unikorn/core/defined';
import type { StatusOf } from '@unikorn/core/kinds';

import type { Server } from '../../kinds/index.ts';
import type { ObservedServer, Presence } from '../../provider/index.ts';
import { decideExistence, type Existence } from './existence.ts';

type Status = StatusOf<typeof Server>;

const time = '2026-01-01T00:00:00Z';
const attempts = 3;
const absent = { state: 'absent' } as const;

function shown(observed: Partial<ObservedServer> = {}): Presence<ObservedServer> {
  return {
    state: 'present',
    observed: { providerId: 'p', status: 'active', power: 'running', task: 'idle', createdAt: time, ...observed },
  };
}

const building: Presence<ObservedServer> = {
  state: 'pending',
  reason: 'the machine is being built',
  observed: { providerId: 'p', status: 'building', power: 'other', task: 'active', createdAt: time },
};
const failed = shown({ status: 'error', power: 'other', fault: 'no host' });
const running = shown({ launchedAt: time });

describe('the decision about the existence of a server', () => {
  it.each<[string, Status | undefined, Presence<ObservedServer>, Existence['type']]>([
    ['new and absent', undefined, absent, 'ensure'],
    ['being built', undefined, building, 'await'],
    ['never launched and in error', {}, failed, 'count'],
    ['in error for the second time', { providerCreateFailures: 1 }, failed, 'count'],
    ['in error for the last time', { providerCreateFailures: 2 }, failed, 'give up'],
    ['given up already', { providerCreateFailures: 3 }, failed, 'give up'],
    ['counted, and still shown in error', { providerCreateFailures: 1, providerCreateRetrying: true }, failed, 'clear'],
    ['counted, and not shown any more', { providerCreateFailures: 1, providerCreateRetrying: true }, absent, 'clear'],
    [
      'counted, but it came up after all',
      { providerCreateFailures: 1, providerCreateRetrying: true },
      running,
      'ensure',
    ],
    ['running', { provisionedAt: time }, running, 'ensure'],
    ['stopped', { provisionedAt: time }, shown({ status: 'shutoff', power: 'shutdown', launchedAt: time }), 'ensure'],
    ['in error after it ran', { provisionedAt: time }, shown({ status: 'error', launchedAt: time }), 'ensure'],
    ['made anew and in error', { provisionedAt: time }, failed, 'give up'],
    ['made anew and being built', { provisionedAt: time }, building, 'await'],
    ['ran and is not shown', { provisionedAt: time }, absent, 'seek'],
    ['ran and has been missing for a while', { provisionedAt: time, missingSince: time }, absent, 'seek'],
    ['ran and was found lost', { provisionedAt: time, missingSince: time, lostAt: time }, absent, 'remake'],
    ['was found lost and is shown again', { provisionedAt: time, missingSince: time, lostAt: time }, running, 'ensure'],
  ])('%s', (_name, status, presence, type) => {
    expect(decideExistence({ status, renewed: false }, presence, attempts).type).toBe(type);
  });

  it('a creation that was given up is tried again from the start once the server has changed', () => {
    expect(decideExistence({ status: { providerCreateFailures: 3 }, renewed: true }, failed, attempts)).toEqual({
      type: 'count',
      failures: 1,
    });
  });

  it('it is tried again when an operator resets the count', () => {
    expect(decideExistence({ status: { providerCreateFailures: 0 }, renewed: false }, failed, attempts)).toEqual({
      type: 'count',
      failures: 1,
    });
  });

  const anyTime = fc.option(fc.constant(time), { nil: undefined });
  const anyStatus: fc.Arbitrary<Status> = fc
    .record({
      provisionedAt: anyTime,
      launchedAt: anyTime,
      missingSince: anyTime,
      lostAt: anyTime,
      providerCreateFailures: fc.option(fc.nat(5), { nil: undefined }),
      providerCreateRetrying: fc.option(fc.boolean(), { nil: undefined }),
    })
    .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
  const anyObserved = fc
    .record({
      status: fc.constantFrom<ObservedServer['status']>(
        'queued',
        'building',
        'rebuilding',
        'active',
        'shutoff',
        'error',
        'deleting',
        'unknown',
      ),
      launchedAt: anyTime,
    })
    .map(({ status, launchedAt }) => ({
      providerId: 'p',
      status,
      power: 'other' as const,
      task: 'idle' as const,
      createdAt: time,
      ...defined({ launchedAt }),
    }));
  const anyPresence: fc.Arbitrary<Presence<ObservedServer>> = fc.oneof(
    fc.constant(absent),
    anyObserved.map((observed) => ({ state: 'present' as const, observed })),
    anyObserved.map((observed) => ({ state: 'pending' as const, reason: 'busy', observed })),
  );

  it('a server with any sign of having run never counts as a failed creation and is never removed', () => {
    fc.assert(
      fc.property(anyStatus, fc.boolean(), anyPresence, (status, renewed, presence) => {
        const ran =
          status.provisionedAt !== undefined ||
          status.launchedAt !== undefined ||
          (presence.state !== 'absent' && presence.observed.launchedAt !== undefined);
        const { type } = decideExistence({ status, renewed }, presence, attempts);
        if (ran) expect(['ensure', 'await', 'give up', 'seek', 'remake']).toContain(type);
      }),
    );
  });

  it('a server that ran is created again only if the monitor found it lost and the provider does not show it', () => {
    fc.assert(
      fc.property(anyStatus, fc.boolean(), anyPresence, (status, renewed, presence) => {
        const { type } = decideExistence({ status, renewed }, presence, attempts);
        const ran = status.provisionedAt !== undefined || status.launchedAt !== undefined;
        const creates = type === 'remake' || (type === 'ensure' && presence.state === 'absent');
        if (ran && creates)
          expect({ presence, lost: status.lostAt !== undefined && status.missingSince !== undefined }).toEqual({
            presence: absent,
            lost: true,
          });
      }),
    );
  });
});
