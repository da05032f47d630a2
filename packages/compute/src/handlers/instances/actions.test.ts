import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Method } from '@unikorn/identity/testing';

import { seen, startInstances, type Instances } from './instances.fixture.ts';

interface Action {
  readonly action: string;
  readonly allowed: boolean;
  readonly reason?: string;
  readonly fulfilled?: boolean;
}

let compute: Instances;
let id: string;
beforeAll(async () => {
  compute = await startInstances();
  ({ id } = seen(await compute.create('machine')).metadata);
});
afterAll(() => compute.stop());

/** In an order in which an earlier action does not forbid a later one. */
const requests: readonly (readonly [action: string, method: Method, path: string, body?: object])[] = [
  ['consoleoutput', 'GET', '/consoleoutput'],
  ['consolesession', 'GET', '/consolesession'],
  ['terminal', 'GET', '/terminal'],
  ['sshkey', 'GET', '/sshkey'],
  ['snapshot', 'POST', '/snapshot', { metadata: { name: 'copy' } }],
  ['start', 'POST', '/start'],
  ['stop', 'POST', '/stop'],
  ['softreboot', 'POST', '/reboot'],
  ['hardreboot', 'POST', '/reboot?hard=true'],
  ['delete', 'DELETE', ''],
];

const actionsOf = async (instance: string, token = compute.token): Promise<readonly Action[]> =>
  (await compute.call('GET', `/api/v2/instances/${instance}/actions`, { token })).body as readonly Action[];

/** Requests one action after another, and compares the result with the list of actions before it. */
async function compared(instance: string, token = compute.token): Promise<Readonly<Record<string, string>>> {
  const told: Record<string, string> = {};
  for (const [action, method, path, body] of requests) {
    await compute.world.settle();
    const foreseen = (await actionsOf(instance, token)).find((each) => each.action === action);
    if (action === 'delete' && foreseen?.allowed) continue;
    const answer = await compute.call(method, `/api/v2/instances/${instance}${path}`, {
      token,
      ...(body ? { body } : {}),
    });
    const reason =
      answer.status < 400 ? undefined : (answer.body as { readonly error_description: string }).error_description;
    expect([action, foreseen?.allowed, foreseen?.reason]).toEqual([action, reason === undefined, reason]);
    told[action] = reason ?? 'allowed';
  }
  return told;
}

const powerOf = async () => (await compute.read(id)).status['powerState'];

describe('the actions of an instance', () => {
  it('are all of its verbs, each once', async () => {
    expect((await actionsOf(id)).map(({ action }) => action).toSorted()).toEqual(
      [...requests.map(([action]) => action), 'update'].toSorted(),
    );
  });

  it('are refused exactly where they are not allowed, with the same reason: before it has a machine', async () => {
    await compute.operator(compute.regionId).turn({ build_ms: 60_000 });
    const told = await compared(seen(await compute.create('early')).metadata.id);
    await compute.operator(compute.regionId).turn({ build_ms: 0 });
    expect(told['start']).toMatch(/has no machine|is not built yet|is being built/);
  });

  it('while it runs, and while it stops', async () => {
    await compute.until(id, 'provisioned');
    await compute.operator(compute.regionId).turn({ power_ms: 60_000 });
    expect(await compared(id)).toEqual({
      consoleoutput: 'allowed',
      consolesession: 'allowed',
      terminal: 'allowed',
      sshkey: 'allowed',
      snapshot: 'allowed',
      start: 'the machine is already running',
      stop: 'allowed',
      softreboot: 'the machine is stopping: wait until it is stopped',
      hardreboot: 'the machine is stopping: wait until it is stopped',
    });
    expect(await actionsOf(id)).toContainEqual(expect.objectContaining({ action: 'stop', fulfilled: true }));
    await compute.operator(compute.regionId).turn({ power_ms: 0 });
    await compute.eventually(powerOf, (power) => power === 'Stopped');
  });

  it('while it is stopped, and after it was started', async () => {
    expect(await actionsOf(id)).toContainEqual({
      action: 'softreboot',
      allowed: false,
      reason: 'the machine is stopped: start it first',
    });
    expect(await compared(id)).toMatchObject({
      consoleoutput: 'allowed',
      consolesession: 'the machine is stopped: start it first',
      terminal: 'the machine is stopped: start it first',
      start: 'allowed',
    });
  });

  it('to a caller who may only read it', async () => {
    const { token } = await compute.found.robot(compute.organizationId, ['auditor']);
    const told = await compared(id, token);
    expect(Object.values(told)).not.toContain('allowed');
    expect(told).toMatchObject({
      stop: 'your roles do not allow update on compute:instances/power here',
      delete: 'your roles do not allow delete on compute:instances here',
    });
  });

  it('while it is protected, and while it is being deleted', async () => {
    const { id: guarded } = seen(await compute.create('guarded', { deletionProtection: true })).metadata;
    await compute.until(guarded, 'provisioned');
    expect(await compared(guarded)).toMatchObject({
      delete: expect.stringContaining('set spec.deletionProtection to false') as string,
    });
    await compute.operator(compute.regionId).turn({ delete_ms: 60_000 });
    await compute.update(guarded, 'guarded', { deletionProtection: false });
    await compute.ask('DELETE', `/${guarded}`);
    expect(await compared(guarded)).toMatchObject({ stop: `instance ${guarded} is being deleted` });
    expect(await actionsOf(guarded)).toContainEqual(expect.objectContaining({ action: 'update', allowed: false }));
    await compute.operator(compute.regionId).turn({ delete_ms: 0 });
  });
});
