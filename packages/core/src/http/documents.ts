import swagger from '@fastify/swagger';
import swaggerUi, { type FastifySwaggerUiOptions } from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

import { Problem } from '../errors/index.ts';
import type { Service } from './compiled.ts';
import { property, sendJson } from './json.ts';
import { documentOptions } from './openapi.ts';

/** The page loads everything from this server, and connects to no other one. */
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

const icon = {
  filename: 'icon.svg',
  rel: 'icon',
  type: 'image/svg+xml',
  sizes: 'any',
  content: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32"><rect width="32" height="32" rx="8" fill="#4450d6"/><path d="M9 9v8a7 7 0 0 0 14 0V9" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round"/><path d="M16 4.5 18 12h-4z" fill="#fff"/></svg>',
  ),
};

/** Paths that cannot be a file of the page: they lead out of its folder, or are longer than any file name. */
const impossiblePaths: readonly unknown[] = ['FST_STATIC_FORBIDDEN_PATH', 'ENAMETOOLONG'];

/**
 * Serves the description of the service: `/openapi.json` for programs, `/docs` for people. It is registered before the
 * routes that it describes.
 */
export async function addDocuments(scope: FastifyInstance, service: Service): Promise<void> {
  await scope.register(swagger, documentOptions(service));
  await scope.register(async (page) => {
    page.setErrorHandler((thrown) => {
      throw fileProblem(thrown);
    });
    await page.register(swaggerUi, pageOptions(service));
  });
  scope.get('/openapi.json', { schema: { hide: true } }, (_request, reply) =>
    sendJson(reply.header('cache-control', 'no-cache'), scope.swagger()),
  );
}

/** Converts refusals of the static file server to Problems. All other errors stay unexpected. */
function fileProblem(cause: unknown): unknown {
  if (impossiblePaths.includes(property(cause, 'code')))
    return new Problem('not_found', 'this path does not exist', { cause });
  switch (property(cause, 'statusCode')) {
    case 412:
      return new Problem('precondition_failed', 'the file has changed: it no longer has the version in the request', {
        cause,
      });
    case 416:
      return new Problem('invalid_request', 'header Range: is outside the file', { cause });
    default:
      return cause;
  }
}

function pageOptions(service: Service): FastifySwaggerUiOptions {
  return {
    routePrefix: '/docs',
    indexPrefix: service.base ?? '',
    staticCSP: contentSecurityPolicy,
    theme: { title: `Unikorn ${service.name} API`, favicon: [icon] },
    logo: { type: icon.type, content: icon.content, href: '/', target: '_self' },
    uiConfig: { deepLinking: true, docExpansion: 'list' },
    ...(service.referenceClient === undefined
      ? {}
      : {
          initOAuth: {
            clientId: service.referenceClient,
            scopes: ['openid', 'email', 'profile'],
            usePkceWithAuthorizationCodeGrant: true,
          },
        }),
  };
}
