import { operations, type Acl, type Caller } from '@unikorn/core/access';
import { Caches } from '@unikorn/core/controller';
import type { Request } from '@unikorn/core/http';
import { runParts } from '@unikorn/core/parts';
import { labels, randomId } from '@unikorn/core/resource';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { Life, silentTelemetry, virtualWorld } from '@unikorn/core/testing';
import { createIdentity, identityKinds } from '@unikorn/identity';
import { Founder, testEncryptionKey } from '@unikorn/identity/testing';

import { endpoints } from '../handlers/endpoints.ts';
import { Region, regionKinds } from '../kinds/index.ts';
import { simulatedKinds, simulatedOperator, simulatedProvider } from '../providers/simulated/index.ts';
import { createRegion, type RegionService } from '../service.ts';

const caller: Caller = { subject: 'test', accountType: 'user', principal: { actor: 'test' }, impersonating: false };
const acl: Acl = { global: Object.values(endpoints).map((name) => ({ name, operations: [...operations] })) };

/**
 * Identity in one run, and region in several process runs on the same store. Each run of region can end at any of its
 * writes or those of the simulated cloud. Requests are passed to the handlers directly, without HTTP.
 */
export async function openLives() {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [...new Set([...identityKinds, ...regionKinds, ...simulatedKinds])] });
  const context = { world, telemetry: silentTelemetry(), version: '0.0.0' };
  const issuer = 'https://cloud.example.com/identity';
  const caches = new Caches({ ...context, store });
  const identity = createIdentity({
    ...context,
    store,
    caches,
    processName: 'identity',
    issuer,
    encryptionKey: testEncryptionKey,
  });
  const ending = new AbortController();
  const running = runParts({ world, caches }, identity.parts, ending.signal);
  const found = new Founder(store, world);
  const organizationId = await found.organization();
  const projectId = await found.project(organizationId);
  const regionId = world.uuid();
  await store.create(Region, {
    metadata: { name: regionId, labels: { [labels.name]: 'sim' } },
    spec: { provider: 'simulated' },
  });
  await simulatedOperator({ store, world, regionId }).turn({
    call_ms: 0,
    build_ms: 0,
    delete_ms: 0,
    loadBalancer_ms: 0,
  });
  let lives = 0;

  const begin = (death?: number) => {
    const life = new Life(store, death);
    const own = new Caches({ ...context, store: life.store });
    const region = createRegion({
      ...context,
      store: life.store,
      caches: own,
      processName: `life ${++lives}`,
      authenticator: identity.authenticator,
      authorizationServer: issuer,
      identityClient: identity.client('unikorn-region'),
      providers: {
        simulated: ({ metadata }) => ({
          tier: 'cloud',
          provider: simulatedProvider({ store: life.store, world, regionId: metadata.name }),
        }),
      },
    });
    const stop = new AbortController();
    void runParts({ world, caches: own }, region.parts, stop.signal);
    const end = () => {
      life.die();
      stop.abort();
    };
    /** Resolves with the response. It never resolves if this run ends before. */
    const ask = (operationId: string, given: { readonly params?: object; readonly body?: object }) =>
      handlerOf(
        region,
        operationId,
      )({
        acl,
        caller,
        params: {},
        query: {},
        headers: {},
        newId: () => randomId(world),
        ...given,
        runtime: { store: life.store, world, telemetry: context.telemetry, instance: 'test' },
      } as unknown as Request);
    return { life, ask, end };
  };

  /** One run of the process: its requests, and when it ends. Returns whether it ended early. */
  const live = async (
    death: number | undefined,
    asked: (running: ReturnType<typeof begin>) => void | Promise<void>,
    ends: () => Promise<boolean>,
  ): Promise<'died' | 'lived'> => {
    const region = begin(death);
    await asked(region);
    await world.until(async () => region.life.died || (await ends()), 10 * 60_000);
    const { died } = region.life;
    region.end();
    return died ? 'died' : 'lived';
  };

  const close = async () => {
    ending.abort();
    await world.settle();
    await running;
    await store.close();
  };
  return { world, store, organizationId, projectId, regionId, begin, live, close };
}

function handlerOf({ service }: RegionService, operationId: string) {
  const route = service.routes.find((candidate) => candidate.operationId === operationId);
  if (!route) throw new Error(`region has no operation ${operationId}`);
  return async (request: Request) => route.handler(request);
}
