import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

import type { Service } from './compiled.ts';
import { sendJson } from './json.ts';
import { documentOptions } from './openapi.ts';

/** Everything the page needs comes from us, and it talks to nobody else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The service's own description: `/openapi.json` for programs, `/docs` for people. Registered before the routes it describes. */
export async function addDocuments(scope: FastifyInstance, service: Service): Promise<void> {
  await scope.register(swagger, documentOptions(service));
  await scope.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: service.base ?? '',
    staticCSP: contentSecurityPolicy,
    theme: { title: `${service.name} API` },
    uiConfig: { deepLinking: true, docExpansion: 'list' },
    ...(service.referenceClient === undefined ? {} : { initOAuth: { clientId: service.referenceClient, scopes: ['openid', 'email', 'profile'], usePkceWithAuthorizationCodeGrant: true } }),
  });
  scope.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => sendJson(reply.header('cache-control', 'no-cache'), scope.swagger()));
}
