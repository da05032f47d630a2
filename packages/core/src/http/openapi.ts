import type { FastifySchema } from 'fastify';
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';

import { problems, type ProblemCode } from '../errors/index.ts';
import { hoistComponents } from './components.ts';
import type { CompiledRoute, Service } from './compiled.ts';
import { pathVariables, type Route } from './route.ts';
import { ErrorBody, plainSchema } from './schemas.ts';

const securityScheme = 'oauth2Authentication';
/** For users who already have a token, such as a service account's, and paste it into the reference page. */
const tokenScheme = 'token';
const requirements = [{ [securityScheme]: [] }, { [tokenScheme]: [] }];

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Only set on declared routes. */
    compiled?: CompiledRoute;
    /** Set on raw routes to the template of their path. Raw routes get their bodies as text. */
    raw?: string;
    /** Set on probes and metrics. They are answered even when other requests are refused. */
    probe?: boolean;
  }
}

/** Options of the generator for one service. */
export function documentOptions(service: Service): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.0.3',
      info: { title: `Unikorn ${service.name}`, version: service.version },
      ...(service.base === undefined ? {} : { servers: [{ url: service.base }] }),
      components: {
        securitySchemes: {
          [securityScheme]: {
            type: 'oauth2',
            flows: {
              authorizationCode: {
                authorizationUrl: `${service.authorizationServer}/oauth2/v2/authorization`,
                tokenUrl: `${service.authorizationServer}/oauth2/v2/token`,
                scopes: { openid: 'who you are', email: 'your address', profile: 'your name' },
              },
            },
          },
          [tokenScheme]: { type: 'http', scheme: 'bearer' },
        },
      },
    },
    transform: ({ url, route }) => ({ url, schema: documentation(route.config?.compiled?.route) }),
    transformObject: (document) =>
      'openapiObject' in document ? hoistComponents(document.openapiObject) : document.swaggerObject,
  };
}

/** The OpenAPI description of an operation; undefined if it is hidden or was not declared. */
export function documentation(route: Route | undefined): FastifySchema {
  if (!route || route.hidden) return { hide: true };
  return {
    operationId: route.operationId,
    summary: route.summary,
    tags: route.tags,
    ...securityOf(route),
    ...(route.params ? { params: plainSchema(route.params, 'kept') } : {}),
    ...(route.query ? { querystring: plainSchema(route.query, 'kept') } : {}),
    ...headersOf(route),
    ...(route.body ? { body: plainSchema(route.body, 'kept') } : {}),
    ...(route.body === undefined && takesBody(route) ? { 'x-no-body': true } : {}),
    response: {
      ...errorsOf(route),
      ...Object.fromEntries(
        Object.entries(route.responses).map(([status, schema]) => [status, successOf(route, schema)]),
      ),
    },
  };
}

function takesBody({ method }: Route): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

function securityOf({ security }: Route): object {
  switch (security) {
    case 'bearer':
      return { security: requirements };
    case 'authenticated':
      return { security: requirements, 'x-no-authorization': true };
    case 'anonymous':
      return { 'x-no-security-requirements': true };
  }
}

function headersOf(route: Route): object {
  const names = [...(route.requestHeaders ?? []), ...(route.idempotency === 'replay' ? ['Idempotency-Key'] : [])];
  if (names.length === 0) return {};
  return {
    headers: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
  };
}

function successOf(route: Route, schema: object | null): object {
  if (schema === null) return { type: 'null', description: 'Accepted; the response has no body' };
  const content = {
    'application/json': { schema: plainSchema(schema, 'kept') },
    ...(route.streams ? { 'text/event-stream': { schema: { type: 'string' } } } : {}),
  };
  return { description: route.summary, content };
}

/** The errors that are documented for an operation, derived from its properties. */
function errorsOf(route: Route): object {
  const codes: ProblemCode[] = ['server_error', 'unavailable', 'too_many_requests'];
  if (route.params || route.query || route.body || route.idempotency) codes.push('invalid_request');
  if (route.security !== 'anonymous') codes.push('access_denied');
  if (route.security === 'bearer') codes.push('forbidden');
  // A body, too, can name objects that do not exist.
  if (pathVariables(route.path).length > 0 || route.body) codes.push('not_found');
  if (route.requestHeaders?.includes('If-Match')) codes.push('precondition_failed');
  if (route.body) codes.push('request_entity_too_large');
  if (route.method !== 'GET') codes.push('conflict', 'unprocessable_content');
  return Object.fromEntries(
    codes.map((code) => [
      problems[code].status,
      {
        description: problems[code].meaning,
        content: { 'application/json': { schema: plainSchema(ErrorBody, 'kept') } },
      },
    ]),
  );
}
