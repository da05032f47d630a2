import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isProblem } from '@unikorn/core/errors';
import { Life } from '@unikorn/core/testing';

import {
  isProviderFailure,
  type CloudProvider,
  type IdentityReference,
  type ObservedServer,
  type WantedServer,
} from '../../provider/index.ts';
import { SimulatedClaim, simulatedOperator, simulatedProvider, SimulatedObject, type Knobs } from './index.ts';
import { answered, openSimulation, standardFlavor, ubuntuImage } from './simulated.fixture.ts';

const identity: IdentityReference = { id: 'an-identity', organizationId: 'an-organization', projectId: 'a-project' };
const network = {
  id: 'a-network',
  prefix: '10.0.0.0/24',
  reservations: { prefixLength: 25 },
  dnsNameservers: [],
  routes: [],
};

function server(id: string, networkId = network.id): WantedServer {
  return {
    id,
    name: id,
    flavorId: standardFlavor,
    imageId: ubuntuImage,
    networkId,
    securityGroupIds: [],
    publicIP: 'wanted',
    allowedAddressPairs: [],
    keyPair: 'none',
    metadata: {},
  };
}

type Simulation = ReturnType<typeof openSimulation>;

/** One run of a process that may die; its failures are expected. */
async function attempt(
  { store, world, region }: Simulation,
  death: number | undefined,
  act: (provider: CloudProvider) => Promise<unknown>,
): Promise<void> {
  const life = new Life(store, death);
  let over = false;
  act(simulatedProvider({ ...region, store: life.store })).then(
    () => (over = true),
    (error: unknown) => {
      expect(isProviderFailure(error)).toBe(true);
      over = true;
    },
  );
  await world.until(() => over || life.died);
}

async function insist<T>(
  { world, provider }: Simulation,
  ask: (provider: CloudProvider) => Promise<T>,
  isGood: (answer: T) => boolean,
): Promise<T> {
  for (;;) {
    const answer = await answered(world, ask(provider));
    if (isGood(answer)) return answer;
    await world.advance(1000);
  }
}

async function prepare(simulation: Simulation): Promise<void> {
  const { world, provider } = simulation;
  await answered(world, provider.identities.ensure(identity));
  await answered(world, provider.networks.ensure(identity, network));
}

async function addressesOf({ provider, world }: Simulation): Promise<readonly string[]> {
  const found = await answered(world, provider.servers.list(identity));
  return found.flatMap(({ presence: { observed } }) => [observed.privateIP ?? [], observed.publicIP ?? []].flat());
}

const ids = ['a', 'b', 'c'] as const;
const weather = fc.record({
  call_ms: fc.constantFrom(0, 50),
  errorRate: fc.constantFrom(0, 0.3),
  lostResponseRate: fc.constantFrom(0, 0.3),
  buildFailureRate: fc.constantFrom(0, 0.5),
});
const step = fc.record({
  id: fc.constantFrom(...ids),
  act: fc.constantFrom('ensure', 'remove', 'vanish'),
  death: fc.option(fc.integer({ min: 1, max: 24 }), { nil: undefined }),
  wait_ms: fc.constantFrom(0, 1000, 20_000),
});

describe('after any failure and any death of a process', () => {
  it('repeated requests converge to one server or none, no address is used twice, and nothing is left behind', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), weather, fc.array(step, { maxLength: 15 }), async (seed, knobs, steps) => {
        const simulation = openSimulation(seed);
        await prepare(simulation);
        await simulation.operator.turn(knobs);
        for (const { id, act, death, wait_ms } of steps) {
          if (act === 'vanish')
            await simulation.operator.drift(identity.id, id, 'deleted').catch((error: unknown) => {
              expect(isProblem(error, 'not_found')).toBe(true);
            });
          else await attempt(simulation, death, (provider) => provider.servers[act](identity, server(id)));
          await simulation.world.advance(wait_ms);
        }
        await simulation.operator.turn({ call_ms: 0, errorRate: 0, lostResponseRate: 0, buildFailureRate: 0 });
        const { provider } = simulation;
        // One server is only removed, because a server that was never created must also leave nothing behind.
        await insist(
          simulation,
          () => provider.servers.remove(identity, server('c')),
          ({ state }) => state === 'absent',
        );
        for (const id of ['a', 'b']) await insistOnServer(simulation, id);
        const addresses = await addressesOf(simulation);
        expect([addresses.length, new Set(addresses).size]).toEqual([4, 4]);
        for (const id of ['a', 'b'])
          await insist(
            simulation,
            () => provider.servers.remove(identity, server(id)),
            ({ state }) => state === 'absent',
          );
        await insist(
          simulation,
          () => provider.networks.remove(identity, network),
          ({ state }) => state === 'absent',
        );
        await insist(
          simulation,
          () => provider.identities.remove(identity),
          ({ state }) => state === 'absent',
        );
        expect((await simulation.store.list(SimulatedClaim)).items).toEqual([]);
        expect((await simulation.store.list(SimulatedObject)).items.map(({ spec }) => spec.id)).toEqual(['knobs']);
        await simulation.store.close();
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('any number of concurrent servers have different addresses', async () => {
    const simulation = openSimulation();
    await prepare(simulation);
    const names = Array.from({ length: 60 }, (_, index) => `s${index}`);
    await answered(
      simulation.world,
      Promise.all(names.map((id) => simulation.provider.servers.ensure(identity, server(id)))),
    );
    expect(new Set(await addressesOf(simulation)).size).toBe(120);
  });
});

async function insistOnServer(simulation: Simulation, id: string): Promise<void> {
  await insist(
    simulation,
    (provider) =>
      provider.servers.ensure(identity, server(id)).catch((error: unknown) => {
        expect(isProviderFailure(error, 'conflict')).toBe(true);
        return { state: 'pending' };
      }),
    ({ state }) => state === 'present',
  );
}

async function runningServer(simulation: Simulation): Promise<ObservedServer> {
  await prepare(simulation);
  await insistOnServer(simulation, 'a');
  return observed(simulation);
}

async function observed({ world, provider }: Simulation): Promise<ObservedServer> {
  const presence = await answered(world, provider.servers.observe(identity, server('a')));
  if (presence.state === 'absent') throw new Error('the server is absent');
  return presence.observed;
}

describe('knobs', () => {
  const turned = async (change: Partial<Knobs>) => {
    const simulation = openSimulation();
    await prepare(simulation);
    await simulation.operator.turn(change);
    return simulation;
  };
  const ensure = ({ world, provider }: Simulation, id: string, wanted: Partial<WantedServer> = {}) =>
    answered(world, provider.servers.ensure(identity, { ...server(id), ...wanted }));

  it('an outage refuses all calls, and changes nothing', async () => {
    const simulation = openSimulation();
    const before = await runningServer(simulation);
    await simulation.operator.turn({ service: 'down' });
    await expect(observed(simulation)).rejects.toMatchObject({ kind: 'unavailable' });
    await simulation.operator.turn({ service: 'up' });
    expect(await observed(simulation)).toEqual(before);
  });

  it('a storm of absence hides servers from reads and verbs, but creates no second one and loses none', async () => {
    const simulation = openSimulation();
    const { world, provider, operator } = simulation;
    const before = await runningServer(simulation);
    await operator.turn({ notFoundRate: 1 });
    expect(await answered(world, provider.servers.observe(identity, server('a')))).toEqual({ state: 'absent' });
    expect(await answered(world, provider.servers.list(identity))).toEqual([]);
    await expect(answered(world, provider.servers.power(identity, server('a'), 'stop'))).rejects.toMatchObject({
      kind: 'not_found',
    });
    await ensure(simulation, 'a');
    await operator.turn({ notFoundRate: 0 });
    expect(await observed(simulation)).toEqual(before);
  });

  it('a lost response is a failure of a call that took effect', async () => {
    const simulation = await turned({ lostResponseRate: 1 });
    await expect(ensure(simulation, 'a')).rejects.toMatchObject({ kind: 'transient' });
    await simulation.operator.turn({ lostResponseRate: 0 });
    expect(await observed(simulation)).toMatchObject({ status: 'building' });
  });

  it('capacity runs out, and returns when a server is deleted', async () => {
    const simulation = await turned({ places: { [standardFlavor]: 1 } });
    await ensure(simulation, 'a');
    await expect(ensure(simulation, 'b')).rejects.toMatchObject({ kind: 'capacity' });
    await insist(
      simulation,
      (provider) => provider.servers.remove(identity, server('a')),
      ({ state }) => state === 'absent',
    );
    expect(await ensure(simulation, 'b')).toMatchObject({ state: 'pending' });
  });

  it('the quota of an identity is its own', async () => {
    const simulation = await turned({ serversPerIdentity: 1 });
    await ensure(simulation, 'a');
    await expect(ensure(simulation, 'b')).rejects.toMatchObject({ kind: 'quota' });
  });

  it('a pinned server gets the named host or none', async () => {
    const simulation = openSimulation();
    await prepare(simulation);
    await ensure(simulation, 'a', { infrastructureRef: 'sim-standard-4-host-7' });
    await expect(ensure(simulation, 'b', { infrastructureRef: 'sim-standard-4-host-7' })).rejects.toMatchObject({
      kind: 'capacity',
    });
    for (const infrastructureRef of ['sim-standard-4-host-0', 'sim-standard-4-host-x', 'elsewhere']) {
      await expect(ensure(simulation, 'b', { infrastructureRef })).rejects.toMatchObject({ kind: 'not_found' });
    }
  });

  it('builds that fail end in error and were never launched', async () => {
    const simulation = await turned({ buildFailureRate: 1 });
    await insistOnServer(simulation, 'a');
    expect(await observed(simulation)).toMatchObject({
      status: 'error',
      fault: 'the machine could not be started on its host',
    });
    expect((await observed(simulation)).launchedAt).toBeUndefined();
  });

  it('are stored with the cloud, and an invalid one changes nothing', async () => {
    const { region, operator } = await turned({ errorRate: 0.5 });
    await expect(operator.turn({ errorRate: 2, call_ms: 1 })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await simulatedOperator(region).knobs()).toMatchObject({ errorRate: 0.5, call_ms: 20 });
  });
});

describe('drift', () => {
  it('shows a server that was stopped or broken directly in the cloud', async () => {
    const simulation = openSimulation();
    await runningServer(simulation);
    await simulation.operator.drift(identity.id, 'a', 'stopped');
    expect(await observed(simulation)).toMatchObject({ status: 'shutoff', power: 'shutdown' });
    await simulation.operator.drift(identity.id, 'a', 'failed');
    expect(await observed(simulation)).toMatchObject({ status: 'error', fault: 'the host of the machine failed' });
  });

  it('a server that was deleted directly in the cloud is absent and can be created again', async () => {
    const simulation = openSimulation();
    const { providerId } = await runningServer(simulation);
    await simulation.operator.drift(identity.id, 'a', 'deleted');
    await expect(observed(simulation)).rejects.toThrow('absent');
    await insistOnServer(simulation, 'a');
    expect((await observed(simulation)).providerId).not.toBe(providerId);
  });

  it('the resources of a server that was deleted directly in the cloud are free once it is created again without them', async () => {
    const simulation = openSimulation();
    const { world, provider, operator } = simulation;
    await prepare(simulation);
    await answered(world, provider.securityGroups.ensure(identity, { id: 'g', rules: [] }));
    await answered(world, provider.servers.ensure(identity, { ...server('a'), securityGroupIds: ['g'] }));
    await expect(answered(world, provider.securityGroups.remove(identity, { id: 'g' }))).rejects.toMatchObject({
      kind: 'in_use',
    });
    await operator.drift(identity.id, 'a', 'deleted');
    await insistOnServer(simulation, 'a');
    expect(await answered(world, provider.securityGroups.remove(identity, { id: 'g' }))).toEqual({ state: 'absent' });
  });
});
