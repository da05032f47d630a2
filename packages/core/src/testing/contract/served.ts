import { createServer, IdempotencyRecord, standardRoutes, type Service } from '../../http/index.ts';
import { openMemoryStore } from '../../store/sqlite/index.ts';
import { silentTelemetry } from '../telemetry.ts';
import { virtualWorld } from '../world.ts';
import { readOperations, type ApiOperation } from './operations.ts';
import type { ServedApi } from './superset.ts';

/** Separates the declarations of a service from those that every server adds. */
const aside = '/declared';

/** The API of a service, read from its generated documents. */
export async function servedApi(service: Service): Promise<ServedApi> {
  const routes = [...standardRoutes(service), ...service.routes];
  const declared = await documented({
    ...service,
    rawRoutes: [],
    routes: routes.map((route) => ({ ...route, path: `${aside}${route.path}`, hidden: false })),
  });
  return {
    published: await documented(service),
    declared: declared
      .filter(({ path }) => path.startsWith(aside))
      .map((operation) => renamed(operation, operation.path.slice(aside.length))),
    raw: (service.rawRoutes ?? []).map(({ method, path }) => `${method} ${path}`),
  };
}

function renamed(operation: ApiOperation, path: string): ApiOperation {
  return { ...operation, path, name: `${operation.method} ${path}` };
}

async function documented(service: Service): Promise<readonly ApiOperation[]> {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [IdempotencyRecord] });
  const server = await createServer({ services: [service], store, world, telemetry: silentTelemetry() });
  const document = (await server.inject({ url: `${service.base ?? ''}/openapi.json` })).json<unknown>();
  await server.close();
  await store.close();
  return readOperations({ document }, 'document');
}
