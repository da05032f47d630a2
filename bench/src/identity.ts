import { join } from 'node:path';

import { allowsProject, type Authenticator } from '@unikorn/core/access';
import { Caches } from '@unikorn/core/controller';
import { runParts } from '@unikorn/core/parts';
import { labels } from '@unikorn/core/resource';
import { openSqliteStore } from '@unikorn/core/store/sqlite';
import type { Store } from '@unikorn/core/store';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { createIdentity, identityKinds, type Identity } from '@unikorn/identity';
import { Founder } from '@unikorn/identity/testing';

import { thing, Thing } from './objects.ts';
import type { Figure, Suite } from './report.ts';
import { many, repeats } from './scale.ts';
import { inLanes, inTemporaryFolder, seconds } from './workspace.ts';

/** The best of several rounds, to reduce the influence of other processes. */
async function best(measure: () => Promise<number>): Promise<number> {
  const results: number[] = [];
  for (let round = 0; round < repeats; round++) results.push(await measure());
  return Math.max(...results);
}

function withIdentityStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    const store = await openSqliteStore({
      path: join(folder, 'state.db'),
      world: systemWorld,
      telemetry: silentTelemetry(),
      kinds: [...identityKinds, Thing],
    });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  });
}

function cachesOf(store: Store): Caches {
  return new Caches({ store, world: systemWorld, telemetry: silentTelemetry() });
}

function identityOn(store: Store, caches = cachesOf(store)): Identity {
  return createIdentity({
    store,
    world: systemWorld,
    telemetry: silentTelemetry(),
    caches,
    processName: 'bench',
    issuer: 'https://identity.example.com',
    version: '0',
    encryptionKey: Buffer.alloc(32, 1),
  });
}

interface Asker {
  readonly authenticator: Authenticator;
  readonly token: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly change: () => Promise<unknown>;
}

/** A service account whose group has access to this many projects, and a running identity service. */
function withAsker<T>(projects: number, work: (asker: Asker) => Promise<T>): Promise<T> {
  return withIdentityStore(async (store) => {
    const found = new Founder(store, systemWorld);
    const organizationId = await found.organization();
    const { token, groupId } = await found.robot(organizationId, ['user']);
    const ids: string[] = [];
    await inLanes(256, projects, async () => ids.push(await found.project(organizationId, [groupId])));
    const caches = cachesOf(store);
    const identity = identityOn(store, caches);
    const stop = new AbortController();
    const running = runParts({ world: systemWorld, caches }, identity.parts, stop.signal);
    try {
      return await work({
        authenticator: identity.authenticator,
        token,
        organizationId,
        projectId: ids.at(-1) ?? '',
        change: () => found.project(organizationId, [groupId]),
      });
    } finally {
      stop.abort();
      await running;
    }
  });
}

/** The cost of every request before its handler runs: authentication, access evaluation and the access check. */
async function authorize({ authenticator, token, organizationId, projectId }: Asker): Promise<void> {
  const scope = { organizationId, projectId };
  const caller = await authenticator.authenticate({ type: 'token', token }, scope);
  const acl = await authenticator.access(caller, scope);
  if (!allowsProject(acl, 'compute:instances', 'create', organizationId, projectId))
    throw new Error('the bench has no permission for the operation that it measures');
}

const warmUp = many(3_000);
const authorizations = many(5_000);
const changes = many(50);

interface Rates {
  readonly steady: number;
  /** The same while each evaluation finds that a project was just added. */
  readonly changing: number;
}

function authorizationRates(projects: number): Promise<Rates> {
  return withAsker(projects, async (asker) => {
    await inLanes(1, warmUp, () => authorize(asker));
    const steady = await best(
      async () => authorizations / (await seconds(() => inLanes(1, authorizations, () => authorize(asker)))),
    );
    let spent = 0;
    for (let round = 0; round < changes; round++) {
      await asker.change();
      await systemWorld.turn();
      spent += await seconds(() => authorize(asker));
    }
    return { steady, changing: changes / spent };
  });
}

async function authorizing(progress: (text: string) => void): Promise<Figure[]> {
  const figures: Figure[] = [];
  let baseline: Rates | undefined;
  for (const projects of [1, 100, many(10_000, 200)]) {
    progress(`authorizing with ${projects.toLocaleString('en')} projects in the access list`);
    const rates = await authorizationRates(projects);
    baseline ??= rates;
    const settings = `${projects.toLocaleString('en')} project${projects === 1 ? '' : 's'} in the access list`;
    const { steady, changing } = baseline;
    figures.push(
      {
        name: 'token verified, access evaluated',
        settings,
        value: rates.steady,
        unit: '/s',
        baseline: { name: '1 project', value: steady },
      },
      {
        name: 'the same after a change',
        settings,
        value: rates.changing,
        unit: '/s',
        baseline: { name: '1 project', value: changing },
      },
    );
  }
  return figures;
}

const charges = (callers: number) => (callers === 1 ? many(1_000) : many(6_000));

function allocationRate(callers: number): Promise<number> {
  return withIdentityStore(async (store) => {
    const found = new Founder(store, systemWorld);
    const organizationId = await found.organization();
    const scope = { organizationId, projectId: await found.project(organizationId) };
    const client = identityOn(store).client('unikorn-compute');
    const principal = { actor: 'bench@example.com', ...scope };
    const charge = (number: number) =>
      client.charge(principal, {
        scope,
        resource: { kind: 'instances.compute.unikorn-cloud.org', id: thing(number).metadata.name },
        amounts: { filestorage: { committed: 1, reserved: 0 } },
      });
    return charges(callers) / (await seconds(() => inLanes(callers, charges(callers), charge)));
  });
}

/** The same number of objects of about the same size, without a ledger. */
function createRate(callers: number): Promise<number> {
  return withIdentityStore(async (store) => {
    const create = (number: number) => {
      const { metadata } = thing(number);
      return store.create(Thing, {
        metadata: { ...metadata, labels: { ...metadata.labels, [labels.resourceId]: metadata.name } },
        spec: { padding: '', size: number },
      });
    };
    return charges(callers) / (await seconds(() => inLanes(callers, charges(callers), create)));
  });
}

async function measureAllocations(callers: number): Promise<Figure> {
  const value = await best(() => allocationRate(callers));
  const baseline = await best(() => createRate(callers));
  return {
    name: 'allocations created',
    settings: `${callers} concurrent caller${callers === 1 ? '' : 's'}, all of one organization`,
    value,
    unit: '/s',
    baseline: { name: 'plain creates', value: baseline },
    ...(callers > 1 ? { goal: { text: 'at least 1,000 /s through one organization', met: value >= 1_000 } } : {}),
  };
}

export const identitySuite: Suite = {
  name: 'identity',
  async run(progress) {
    const figures = await authorizing(progress);
    for (const callers of [1, 64, 256]) {
      progress(`allocations of one organization by ${callers} callers`);
      figures.push(await measureAllocations(callers));
    }
    return figures;
  },
};
