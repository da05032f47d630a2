import { assert, constantFrom, option, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { StatusOf } from '@unikorn/core/kinds';

import { Server } from '../kinds/index.ts';
import type { ObservedServer } from '../provider/index.ts';
import { checkup, type MonitorFinding } from './checkup.ts';

type Status = StatusOf<typeof Server>;

const now = Date.parse('2026-01-01T01:00:00Z');
const times = constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:59:30Z');
const maybe = { nil: undefined };

const statuses = record(
  {
    phase: constantFrom<NonNullable<Status['phase']>>('Pending', 'Building', 'Running', 'Stopping', 'Stopped'),
    privateIP: constantFrom('10.0.0.1', '10.0.0.2'),
    publicIP: constantFrom('198.18.0.1'),
    provisionedAt: times,
    missingSince: times,
    lostAt: times,
    rebuild: record({
      targetImageID: constantFrom('a', 'b'),
      state: constantFrom<NonNullable<Status['rebuild']>['state']>('Initiated', 'Rebuilding', 'Succeeded', 'Failed'),
    }),
  },
  { requiredKeys: [] },
);

const observations = record({
  providerId: constantFrom('p'),
  status: constantFrom<ObservedServer['status']>(
    'queued',
    'building',
    'rebuilding',
    'active',
    'shutoff',
    'error',
    'deleting',
    'unknown',
  ),
  power: constantFrom<ObservedServer['power']>('running', 'shutdown', 'other'),
  task: constantFrom<ObservedServer['task']>('idle', 'active'),
  createdAt: times,
  imageId: option(constantFrom('a', 'b'), maybe),
  launchedAt: option(times, maybe),
  publicIP: option(constantFrom('198.18.0.1', '198.18.0.2'), maybe),
}).map(
  (all) =>
    Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as unknown as ObservedServer,
);

const findings = option(observations, maybe).chain((observed) =>
  constantFrom<MonitorFinding>(
    ...(observed
      ? [{ state: 'seen', observed } as const]
      : [{ state: 'missing', period_ms: 60_000 } as const, { state: 'unsure', message: 'who knows' } as const]),
  ),
);

function server(status: Status): Server {
  const metadata = {
    name: 's',
    uid: 'u',
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  return {
    apiVersion: Server.apiVersion,
    kind: Server.kind,
    metadata,
    spec: { flavorID: 'f', image: { id: 'a' }, networks: [{ id: 'n' }] },
    status,
  };
}

describe('the status that a pass writes', () => {
  it('is complete: the same observation again writes nothing', () => {
    assert(
      property(statuses, findings, (status, finding) => {
        const written = checkup(server(status), finding, now);
        if (written) expect(checkup(server(written), finding, now)).toBeUndefined();
      }),
    );
  });

  it('keeps that the server once ran, and keeps fields that it does not observe', () => {
    assert(
      property(statuses, findings, (status, finding) => {
        const written = checkup(server(status), finding, now) ?? status;
        if (status.provisionedAt !== undefined) expect(written.provisionedAt).toBe(status.provisionedAt);
        const kept = Object.fromEntries(
          Object.entries(status).filter(([field]) => field !== 'missingSince' && field !== 'lostAt'),
        );
        if (finding.state !== 'seen') expect(written).toMatchObject(kept);
      }),
    );
  });

  it('has no mark for a server that is seen or doubted, and no server is lost before it was missing for two periods', () => {
    assert(
      property(statuses, findings, (status, finding) => {
        const { missingSince, lostAt } = checkup(server(status), finding, now) ?? status;
        if (finding.state !== 'missing') expect([missingSince, lostAt]).toEqual([undefined, undefined]);
        else expect(lostAt !== undefined).toBe(now - Date.parse(missingSince ?? '') >= 120_000);
      }),
    );
  });
});
