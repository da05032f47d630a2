import { hostname } from 'node:os';

import type { FastifyInstance } from 'fastify';

import { operations, type Endpoint } from '@unikorn/core/access';
import { createServer } from '@unikorn/core/http';
import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';
import { createParking, parkingKinds, SimulatedGate } from '@unikorn/example-parking';
import { createIdentity, identityKinds, platformAccountId, type Identity } from '@unikorn/identity';

import { version } from '../version.ts';

export const controlPlaneKinds = [...new Set([...identityKinds, ...parkingKinds])];

export interface ControlPlaneOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** Where it is reached from outside, such as `https://cloud.example.com`. */
  readonly publicUrl: string;
  readonly encryptionKey: Uint8Array;
  /** Who may do everything, by their mail address. */
  readonly administrator: string;
}

export interface ControlPlane {
  readonly server: FastifyInstance;
  readonly identity: Identity;
  /** Runs controllers and recovery of every service until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** The reference pages, as an application that people log in to. */
const referenceClient = 'reference';

const parking: readonly Endpoint[] = ['parking:lots', 'parking:permits'].map((name) => ({ name, operations }));

/** Every service in one process, behind one port. */
export async function createControlPlane({ store, world, telemetry, publicUrl, encryptionKey, administrator }: ControlPlaneOptions): Promise<ControlPlane> {
  const context = { store, world, telemetry, identity: `${hostname()}-${world.uuid()}` };
  const issuer = `${publicUrl}/identity`;
  const everything = ['platform-administrator', 'parking-operator'];
  const identity = createIdentity({
    ...context,
    version,
    issuer,
    encryptionKey,
    configuration: {
      clients: [{ id: referenceClient, redirectUris: ['identity', 'parking'].map((service) => `${publicUrl}/${service}/docs/static/oauth2-redirect.html`) }],
      globalBindings: { [platformAccountId]: everything, [administrator]: everything },
      roles: [
        { name: 'parking', description: 'uses the example service', scopes: { organization: parking } },
        { name: 'parking-operator', protected: true, scopes: { global: parking } },
      ],
    },
  });
  const example = createParking({ ...context, gate: new SimulatedGate(), authenticator: identity.authenticator, authorizationServer: issuer, url: `${publicUrl}/parking` });
  const server = await createServer({ services: [identity.service, example.service].map((service) => ({ ...service, referenceClient })), store, world, telemetry });
  return {
    server,
    identity,
    run: async (signal) => {
      await Promise.all([identity.run(signal), example.run(signal)]);
    },
  };
}
