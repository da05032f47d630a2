import type { FastifyInstance } from 'fastify';

import { trustOf } from '../access/index.ts';
import { Problem } from '../errors/index.ts';
import { compileRoute, type CompiledRoute, type Service } from './compiled.ts';
import { preflightHeaders, type CorsOptions } from './cors.ts';
import { exchangeOf } from './exchange.ts';
import { admit, answer, type Pipeline, type RoutedRequest } from './pipeline.ts';
import type { RawRoute, RawShape } from './route.ts';
import type { ServedPaths } from './served-paths.ts';

interface Preflights {
  readonly cors: CorsOptions;
  readonly paths: ServedPaths;
}

/** Registers the declared routes of a service, and the responses to CORS preflight requests. */
export function mountRoutes(
  scope: FastifyInstance,
  service: Service,
  pipeline: Pipeline,
  preflights: Preflights,
): void {
  for (const declared of service.routes) mountRoute(scope, compileRoute(service, declared), pipeline);
  for (const declared of service.rawRoutes ?? []) mountRawRoute(scope, service, declared, pipeline);
  const served = [...service.routes, ...(service.rawRoutes ?? [])];
  for (const path of new Set(served.map((declared) => declared.path))) mountPreflight(scope, path, preflights);
}

/** Converts `/things/{thingID}` to the syntax of Fastify. */
function fastifyPath(path: string): string {
  return path.replaceAll(/\{([^}]+)\}/g, ':$1');
}

function mountRoute(scope: FastifyInstance, compiled: CompiledRoute, pipeline: Pipeline): void {
  const { route } = compiled;
  scope.route<{ Params: RoutedRequest['params']; Querystring: RoutedRequest['query'] }>({
    method: route.method,
    url: fastifyPath(route.path),
    config: { compiled },
    ...(route.streams ? { sse: 'dual' as const } : {}),
    onRequest: (request) => admit(pipeline, exchangeOf(request), compiled, request),
    handler: (request, reply) => answer(pipeline, exchangeOf(request), compiled, request, reply),
  });
}

function mountRawRoute(scope: FastifyInstance, { base }: Service, route: RawRoute, { certificates }: Pipeline): void {
  scope.route<RawShape>({
    method: route.method,
    url: fastifyPath(route.path),
    config: { raw: `${base ?? ''}${route.path}` },
    handler: async (request, reply) => {
      await exchangeOf(request).run(() => route.handler(request, reply, trustOf(request.raw.socket, certificates)));
      return reply;
    },
  });
}

function mountPreflight(scope: FastifyInstance, path: string, { cors, paths }: Preflights): void {
  scope.options(fastifyPath(path), (request, reply) => {
    const wanted = request.headers['access-control-request-method'];
    if (wanted === undefined) throw new Problem('invalid_request', 'header Access-Control-Request-Method: is required');
    const allowed = paths.methodsOf(request.originalUrl);
    if (wanted === 'OPTIONS' || !allowed.includes(wanted)) {
      const { problem, headers } = paths.refusal(request.originalUrl);
      reply.headers(headers);
      throw problem;
    }
    return reply.code(204).headers(preflightHeaders(cors, allowed)).send();
  });
}
