import type { FastifyInstance } from 'fastify';

import { Problem } from '../errors/index.ts';
import { compileRoute, type CompiledRoute, type Service } from './compiled.ts';
import { preflightHeaders, type CorsOptions } from './cors.ts';
import { exchangeOf } from './exchange.ts';
import { admit, answer, type Pipeline, type RoutedRequest } from './pipeline.ts';
import type { Method, RawRoute, RawShape, Route } from './route.ts';

const methods: readonly (Method | 'HEAD' | 'TRACE')[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];

/** Mounts the declared routes of a service, and an answer for every other method of their paths. */
export function mountRoutes(scope: FastifyInstance, service: Service, pipeline: Pipeline, cors: CorsOptions): void {
  for (const declared of service.routes) mountRoute(scope, compileRoute(service, declared), pipeline);
  for (const declared of service.rawRoutes ?? []) mountRawRoute(scope, service, declared, pipeline);
  const served = [...service.routes, ...(service.rawRoutes ?? [])];
  for (const path of new Set(served.map((declared) => declared.path))) mountRest(scope, path, served, cors);
}

/** `/things/{thingID}` as Fastify writes it. */
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
      await exchangeOf(request).run(() => route.handler(request, reply, certificates));
      return reply;
    },
  });
}

function mountRest(scope: FastifyInstance, path: string, routes: readonly Pick<Route, 'method' | 'path'>[], cors: CorsOptions): void {
  const served = routes.filter((other) => covers(other.path, path)).map((other) => other.method);
  const allowed = [...new Set([...served, ...(served.includes('GET') ? ['HEAD'] : [])])];
  const allow = [...allowed, 'OPTIONS'].join(', ');
  scope.route({
    method: methods.filter((method) => !allowed.includes(method)),
    url: fastifyPath(path),
    handler: (_request, reply) => {
      reply.header('allow', allow);
      throw new Problem('method_not_allowed', `this path takes ${allow}`);
    },
  });
  scope.options(fastifyPath(path), (request, reply) => {
    const wanted = request.headers['access-control-request-method'];
    if (wanted === undefined) throw new Problem('invalid_request', 'header Access-Control-Request-Method: is required');
    if (!allowed.includes(wanted)) {
      reply.header('allow', allow);
      throw new Problem('method_not_allowed', `this path takes ${allow}`);
    }
    return reply.code(204).headers(preflightHeaders(cors, [...allowed, 'OPTIONS'])).send();
  });
}

/** Whether a request for `path` may also reach a route with this template: `/things/{thingID}` takes `/things/special`. */
function covers(template: string, path: string): boolean {
  const words = path.split('/');
  const pattern = template.split('/');
  return pattern.length === words.length && pattern.every((word, index) => word.startsWith('{') || word === words[index]);
}
