import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { StatusOf } from '@unikorn/core/kinds';

import type { Server } from '../../kinds/index.ts';
import { machineActions, machineRefusal } from '../../servers/index.ts';
import { seen, startServers } from './servers.fixture.ts';

interface Action {
  readonly action: string;
  readonly allowed: boolean;
  readonly reason?: string;
  readonly fulfilled?: boolean;
}

const readerMail = 'reader@example.com';
const monitorPeriod_ms = 10_000;

let region: Awaited<ReturnType<typeof startServers>>;
let id: string;
beforeAll(async () => {
  region = await startServers({
    configuration: { monitorPeriod_ms },
    knobs: { power_ms: 30_000, build_ms: 30_000 },
    identityConfiguration: { globalBindings: { [readerMail]: ['platform-reader'] } },
  });
  await region.found.user(readerMail);
  id = seen(await region.create()).metadata.id;
});
afterAll(() => region.stop());

const actionsOf = async (server = id): Promise<readonly Action[]> =>
  (await region.servers('GET', `/${server}/actions`)).body as readonly Action[];

const requests = {
  start: ['POST', 'start'],
  stop: ['POST', 'stop'],
  softreboot: ['POST', 'softreboot'],
  hardreboot: ['POST', 'hardreboot'],
  snapshot: ['POST', 'snapshot', { metadata: { name: 'copy' }, spec: {} }],
  consoleoutput: ['GET', 'consoleoutput'],
  consolesession: ['GET', 'consolesessions'],
  terminal: ['GET', 'terminal'],
  sshkey: ['GET', 'sshkey'],
} as const satisfies Record<string, readonly ['GET' | 'POST', string, object?]>;

type Verb = keyof typeof requests;
const verbs = Object.keys(requests) as readonly Verb[];

async function tried(verb: Verb, server = id): Promise<string | undefined> {
  const [method, word, body] = requests[verb];
  const answer = await region.servers(method, `/${server}/${word}`, body);
  return answer.status < 400 ? undefined : (answer.body as { readonly error_description: string }).error_description;
}

describe('the actions of a server', () => {
  it('are refused by the provider exactly where they are not allowed, with the same reason', async () => {
    const told: string[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ verb: fc.constantFrom(...verbs), wait_ms: fc.constantFrom(0, 61_000) }), {
          minLength: 4,
          maxLength: 8,
        }),
        async (steps) => {
          for (const { verb, wait_ms } of steps) {
            await region.world.advance(wait_ms);
            await region.world.settle();
            const foreseen = (await actionsOf()).find(({ action }) => action === verb);
            const reason = await tried(verb);
            told.push(`${verb}: ${reason ?? 'allowed'}`);
            expect([verb, foreseen]).toEqual([
              verb,
              expect.objectContaining({ allowed: reason === undefined, ...(reason === undefined ? {} : { reason }) }),
            ]);
          }
        },
      ),
      { numRuns: 12, seed: 7 },
    );
    expect(new Set(told)).toContain('start: the machine is already running');
    expect(new Set(told)).toContain('softreboot: the machine is stopped: start it first');
  });

  it('name the missing right', async () => {
    const answer = await region.call('GET', `/api/v2/servers/${id}/actions`, { token: `user:${readerMail}` });
    expect(answer.body).toEqual(
      expect.arrayContaining([
        { action: 'start', allowed: false, reason: 'your roles do not allow update on region:servers/power here' },
        { action: 'delete', allowed: false, reason: 'your roles do not allow delete on region:servers here' },
      ]),
    );
  });

  it('give the reason for a server without a key', async () => {
    const closed = seen(await region.create({ sshInjection: 'none' }, { name: 'closed' })).metadata.id;
    const [key] = (await actionsOf(closed)).filter(({ action }) => action === 'sshkey');
    expect(key).toEqual({ action: 'sshkey', allowed: false, reason: await tried('sshkey', closed) });
  });

  it('do not include a change of a server that is being deleted', async () => {
    await region.operator(region.regionId).turn({ delete_ms: 60_000 });
    const { id: going } = seen(await region.create({}, { name: 'going' })).metadata;
    await region.until(going, 'provisioned');
    await region.servers('DELETE', `/${going}`);
    const refused = await region.update(going, {}, { name: 'going' });
    expect(await actionsOf(going)).toContainEqual({
      action: 'update',
      allowed: false,
      reason: (refused.body as { readonly error_description: string }).error_description,
    });
  });
});

describe('the actions that a machine’s status allows', () => {
  const statuses = fc.record(
    {
      phase: fc.constantFrom('Pending', 'Queued', 'Building', 'Running', 'Stopping', 'Stopped'),
      provisionedAt: fc.constant('2026-01-01T00:00:00Z'),
      rebootingSince: fc.constant('2026-01-01T00:00:00Z'),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<StatusOf<typeof Server>>;

  it('never include both start and stop, and a refusal always has a remedy', () => {
    fc.assert(
      fc.property(statuses, (status) => {
        const allowed = machineActions.filter((action) => machineRefusal(status, action) === undefined);
        expect(allowed.includes('start') && allowed.includes('stop')).toBe(false);
        for (const action of machineActions)
          expect(machineRefusal(status, action)?.reason ?? 'the machine is already x').toMatch(
            /^the machine is (already \w+$|[a-z ]+: (wait until|start))/,
          );
      }),
    );
  });
});
