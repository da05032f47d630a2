import { createHash, timingSafeEqual } from 'node:crypto';

import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

import { isProblem, Problem } from '../errors/index.ts';
import { waits } from '../limits.ts';
import type { Store } from '../store/index.ts';
import type { World } from '../world/index.ts';
import type { ReadinessChecks, Service } from './compiled.ts';
import { sendJson } from './json.ts';
import { resourceUrl } from './origin.ts';
import { route, type Route } from './route.ts';
import { ProtectedResource, ServiceVersion } from './schemas.ts';

/** The contract's operations that every service has. */
export function standardRoutes(service: Omit<Service, 'routes'>): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/version',
      operationId: 'getVersion',
      summary: 'Name and version of the service',
      tags: ['Service'],
      security: 'authenticated',
      responses: { 200: ServiceVersion },
      handler: () => ({ status: 200, body: { name: service.contractName ?? service.name, version: service.version } }),
    }),
    route({
      method: 'GET',
      path: '/.well-known/openid-protected-resource',
      operationId: 'getProtectedResource',
      summary: 'Where to get a token for the service',
      tags: ['Service'],
      security: 'anonymous',
      hidden: true,
      cacheControl: 'max-age=86400, private',
      responses: { 200: ProtectedResource },
      handler: ({ headers }) => ({
        status: 200,
        body: {
          resource: resourceUrl(headers, service),
          authorization_servers: [service.authorizationServer],
          scopes_supported: ['openid', 'email', 'profile'],
          bearer_methods_supported: ['header'],
        },
      }),
    }),
  ];
}

/** Who may read the metrics: everybody, the holders of a token, or nobody, because another port serves them. */
export type MetricsAccess = 'anonymous' | 'elsewhere' | { readonly token: string };

interface Surroundings {
  readonly registry: Registry;
  readonly metrics: MetricsAccess;
  readonly world: World;
  readonly store: Store;
}

/** Health and metrics endpoints for operators; they are not part of the contract and not in the OpenAPI document. */
export function addProbes(
  scope: FastifyInstance,
  service: Pick<Service, 'checks'>,
  { registry, metrics, world, store }: Surroundings,
): void {
  const checks: ReadinessChecks = { ...service.checks, store: () => store.probe().then(() => true) };
  const hidden = { schema: { hide: true } };
  const always = { ...hidden, config: { probe: true } };
  scope.get('/healthz', always, (_request, reply) =>
    sendJson(reply.header('cache-control', 'no-cache'), { status: 'healthy' }),
  );
  scope.get('/readyz', hidden, async (_request, reply) => {
    const failures = await failingChecks(checks, world);
    const ready = failures.length === 0;
    return sendJson(
      reply.header('cache-control', 'no-cache').code(ready ? 200 : 503),
      ready ? { status: 'ready' } : notReady(failures),
    );
  });
  if (metrics === 'elsewhere') return;
  scope.get('/metrics', always, async (request, reply) => {
    if (metrics !== 'anonymous') requireToken(request.headers.authorization, metrics.token);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** Digests have the same length, so that the comparison takes the same time for every token. */
function requireToken(header: string | undefined, token: string): void {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (header === undefined || !timingSafeEqual(digest(header), digest(`Bearer ${token}`)))
    throw new Problem('access_denied', 'the metrics need the token of the setting metrics.token, as a bearer token');
}

interface FailedCheck {
  readonly name: string;
  /** Safe to show to everybody. Other error messages are not shown. */
  readonly reason?: string;
}

function notReady(failures: readonly FailedCheck[]): object {
  const reasons = Object.fromEntries(
    failures.flatMap(({ name, reason }) => (reason === undefined ? [] : [[name, reason]])),
  );
  return {
    status: 'not ready',
    notReady: failures.map(({ name }) => name),
    ...(Object.keys(reasons).length === 0 ? {} : { reasons }),
  };
}

async function failingChecks(checks: ReadinessChecks, world: World): Promise<readonly FailedCheck[]> {
  const failures = await Promise.all(Object.entries(checks).map(([name, check]) => failureIn(name, check, world)));
  return failures.filter((failure) => failure !== undefined);
}

async function failureIn(name: string, check: () => Promise<boolean>, world: World): Promise<FailedCheck | undefined> {
  const answered = new AbortController();
  const late = world.sleep(waits.readinessCheck_ms, answered.signal).then(() => false);
  try {
    return (await Promise.race([check(), late])) ? undefined : { name };
  } catch (error) {
    return isProblem(error) ? { name, reason: error.message } : { name };
  } finally {
    answered.abort();
  }
}
