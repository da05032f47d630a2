import openapiTS, { astToString } from 'openapi-typescript';

import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld as world } from '@unikorn/core/world';
import { noSecrets } from '@unikorn/region';

import { controlPlaneKinds, createControlPlane } from '../packages/unikorn/src/serve/control-plane.ts';

export const services = ['identity', 'region', 'compute'] as const;

/** The OpenAPI document of a service, as served at the address in the README. */
export interface ApiDocument {
  readonly service: (typeof services)[number];
  readonly text: string;
}

/** The documents that the running product serves. */
export async function apiDocuments(): Promise<readonly ApiDocument[]> {
  const telemetry = silentTelemetry();
  const store = openMemoryStore({ world, telemetry, kinds: controlPlaneKinds });
  const { server } = await createControlPlane({
    store,
    world,
    telemetry,
    publicUrl: 'http://127.0.0.1:8080',
    encryptionKey: new Uint8Array(32),
    administrator: 'admin@example.com',
    secrets: noSecrets,
  });
  try {
    return await Promise.all(
      services.map(async (service) => ({
        service,
        text: `${JSON.stringify((await server.inject(`/${service}/openapi.json`)).json(), undefined, 1)}\n`,
      })),
    );
  } finally {
    await server.close();
    await store.close();
  }
}

/** The types of a document, for the SDK. */
export async function typesOf({ text }: ApiDocument): Promise<string> {
  return astToString(await openapiTS(text));
}

/** The paths of operations that a client may repeat without doing the work twice. */
export function replayablePaths(documents: readonly ApiDocument[]): string {
  const paths = documents.flatMap(({ text }) =>
    Object.entries(operationsOf(text))
      .filter(([, { post }]) => post?.parameters?.some(({ name }) => name === 'Idempotency-Key'))
      .map(([path]) => path),
  );
  return [
    'export const replayable: ReadonlySet<string> = new Set([',
    ...paths.toSorted().map((path) => `  '${path}',`),
    ']);',
    '',
  ].join('\n');
}

interface PathItem {
  readonly post?: { readonly parameters?: readonly { readonly name: string }[] };
}

function operationsOf(text: string): Readonly<Record<string, PathItem>> {
  return (JSON.parse(text) as { readonly paths: Readonly<Record<string, PathItem>> }).paths;
}
