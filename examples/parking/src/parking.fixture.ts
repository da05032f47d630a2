import type { Acl, Authenticator } from '@unikorn/core/access';
import { tokenCaller } from '@unikorn/core/access';
import { Caches } from '@unikorn/core/controller';
import { Problem } from '@unikorn/core/errors';
import { createServer } from '@unikorn/core/http';
import { runParts, withParts } from '@unikorn/core/parts';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import type { Telemetry } from '@unikorn/core/telemetry';
import { silentTelemetry, virtualWorld } from '@unikorn/core/testing';

import { SimulatedGate } from './provisioners/gate.ts';
import { createParking, parkingKinds } from './service.ts';

export const organizations = {
  acme: 'a0000000-0000-4000-8000-000000000001',
  rival: 'a0000000-0000-4000-8000-000000000002',
};

const everything = ['parking:lots', 'parking:permits'].map((name) => ({
  name,
  operations: ['create', 'read', 'update', 'delete'] as const,
}));

/** Tokens are the names of organizations; their holders have all rights there. */
const authenticator: Authenticator = {
  authenticate(credentials, scope) {
    const organizationId =
      credentials.type === 'token'
        ? Object.entries(organizations).find(([name]) => name === credentials.token)?.[1]
        : undefined;
    if (!organizationId) return Promise.reject(new Problem('access_denied', 'the token is not valid'));
    return Promise.resolve(
      tokenCaller({ subject: 'tester@example.com', accountType: 'user', organizationIds: [organizationId] }, scope),
    );
  },
  access: (caller) => {
    const acl: Acl = {
      organizations: (caller.principal.organizationIds ?? []).map((id) => ({ id, endpoints: everything })),
    };
    return Promise.resolve(acl);
  },
};

/** The fields of responses that the tests check. */
interface Answer {
  readonly metadata?: { readonly id: string; readonly provisioningStatus: string };
}

/** The whole service with a memory store in virtual time. */
export async function startParking(telemetry: Telemetry = silentTelemetry()) {
  const world = virtualWorld();
  const store = openMemoryStore({ world, telemetry, kinds: parkingKinds });
  const gate = new SimulatedGate();
  const caches = new Caches({ store, world, telemetry });
  const parking = createParking({
    store,
    world,
    telemetry,
    caches,
    gate,
    authenticator,
    authorizationServer: 'https://identity.example.com',
    processName: 'test',
  });
  const server = await createServer({
    services: [withParts(parking.service, parking.parts)],
    store,
    world,
    telemetry,
    contract: 'enforced',
  });
  const stop = new AbortController();
  const running = runParts({ world, caches }, parking.parts, stop.signal);

  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, token = 'acme') => {
    const response = await server.inject({
      method,
      url: `/parking/api/v1${path}`,
      headers: { authorization: `Bearer ${token}` },
      ...(body ? { payload: body } : {}),
    });
    return { status: response.statusCode, body: response.body === '' ? undefined : response.json<Answer>() };
  };
  const createLot = async (spaces: number) => {
    const { body } = await call('POST', '/lots', {
      metadata: { name: 'north' },
      spec: { organizationId: organizations.acme, spaces },
    });
    return body?.metadata?.id ?? '';
  };
  const park = (lotId: string, plate: string, token?: string) =>
    call('POST', '/permits', { metadata: { name: 'car' }, spec: { lotId, plate } }, token);
  return {
    world,
    store,
    gate,
    server,
    call,
    createLot,
    park,
    async stop() {
      stop.abort();
      await world.settle();
      await running;
      await server.close();
      await store.close();
    },
  };
}
