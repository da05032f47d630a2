import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { lintOpenApi } from '../testing/index.ts';
import { route } from './index.ts';
import { openBench, thingRoutes, type Bench } from './things.fixture.ts';

interface Document {
  openapi: string;
  servers?: readonly { url: string }[];
  paths: Record<
    string,
    Record<
      string,
      {
        responses: Record<string, unknown>;
        parameters?: readonly { name: string; in: string; required?: boolean; schema?: unknown }[];
        security?: unknown;
      }
    >
  >;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
}

const secretRoute = route({
  method: 'GET',
  path: '/api/v2/hidden',
  operationId: 'hidden',
  summary: 'Hidden',
  tags: ['Things'],
  security: 'bearer',
  hidden: true,
  responses: { 200: Type.Array(Type.String()) },
  handler: () => ({ status: 200, body: [] }),
});

let bench: Bench;
let document: Document;
beforeAll(async () => {
  bench = await openBench({ routes: [...thingRoutes, secretRoute] });
  await bench.app.listen({ port: 0, host: '127.0.0.1' });
  document = (await bench.call('GET', '/openapi.json', { as: null })).json();
});
afterAll(() => bench[Symbol.asyncDispose]());

describe('the OpenAPI document', () => {
  it('keeps the rules for operations', () => {
    expect(lintOpenApi(document)).toEqual([]);
    expect(document.openapi).toBe('3.0.3');
  });

  it('describes exactly the operations that are not hidden', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(operations.sort()).toEqual([
      'delete /api/v2/things/{thingID}',
      'get /api/v2/things',
      'get /api/v2/things/{thingID}',
      'get /api/version',
      'post /api/v2/things',
      'post /api/v2/things/{thingID}/start',
      'put /api/v2/things/{thingID}',
    ]);
  });

  it('has the schemas of the contract for the common operations', () => {
    expect(document.components.schemas['error']).toMatchObject({
      type: 'object',
      required: ['error', 'error_description'],
      properties: {
        error: {
          type: 'string',
          enum: [
            'invalid_request',
            'server_error',
            'access_denied',
            'not_found',
            'conflict',
            'method_not_allowed',
            'unsupported_media_type',
            'request_entity_too_large',
            'unprocessable_content',
            'forbidden',
          ],
        },
        error_description: { type: 'string' },
        trace_id: { type: 'string' },
      },
    });
    expect(document.components.schemas['serviceVersionRead']).toMatchObject({
      type: 'object',
      required: ['name', 'version'],
      properties: { name: { type: 'string' }, version: { type: 'string' } },
    });
    expect(document.paths['/api/version']?.['get']?.responses['401']).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/error' } } },
    });
    expect(document.components.securitySchemes['oauth2Authentication']).toMatchObject({ type: 'oauth2' });
  });

  it('names shared schemas, and writes unions of literals as enums without const', () => {
    expect(document.components.schemas['thingRead']).toMatchObject({
      properties: {
        metadata: { $ref: '#/components/schemas/thingMetadata' },
        spec: { properties: { colour: { type: 'string', enum: ['red', 'blue', 'private'] } } },
      },
    });
    expect(JSON.stringify(document)).not.toContain('"const"');
  });

  it('lists the optional parameters every list has', () => {
    const parameters = document.paths['/api/v2/things']?.['get']?.parameters?.map(
      ({ name, in: place }) => `${place} ${name}`,
    );
    expect(parameters).toEqual(
      expect.arrayContaining(['query limit', 'query continue', 'query organizationID', 'header Last-Event-ID']),
    );
  });

  it('has the paths below the base of a mounted service', async () => {
    await using mounted = await openBench({ base: '/things' });
    const below = (await mounted.call('GET', '/things/openapi.json')).json<Document>();
    expect(below.servers).toEqual([{ url: '/things' }]);
    expect(Object.keys(below.paths)).toContain('/api/v2/things');
  });

  it('is refused by the rules when an operation breaks them', () => {
    const broken = {
      paths: { '/things/{thingID}': { put: { operationId: 'x', tags: ['t'], security: [], responses: {} } } },
    };
    expect(lintOpenApi(broken)).toEqual([
      'PUT /things/{thingID}: needs a summary',
      'PUT /things/{thingID}: needs the security requirement oauth2Authentication or token',
      'PUT /things/{thingID}: needs 401',
      'PUT /things/{thingID}: needs 403',
      'PUT /things/{thingID}: has a path variable, so it needs 404',
      'PUT /things/{thingID}: needs a body schema or x-no-body',
      'PUT /things/{thingID}: needs 500',
    ]);
  });
});

describe('the reference page', () => {
  it.each(['', '/things'] as const)('loads everything from its own origin below base "%s"', async (base) => {
    await using mounted = await openBench(base === '' ? {} : { base });
    const page = await mounted.call('GET', `${base}/docs`, { as: null });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const assets = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
    expect(assets.length).toBeGreaterThan(4);
    for (const asset of assets) {
      expect(asset).toMatch(/^\/(?!\/)/);
      expect((await mounted.call('GET', asset, { as: null })).statusCode).toBe(200);
    }
    expect((await mounted.call('GET', `${base}/docs/json`, { as: null })).json()).toHaveProperty('openapi');
  });

  it.each(['../x', '%2e%2e/x', '%5c..%5cx', 'a%00b', 'a'.repeat(1000), 'nothing.js'])(
    'has no file %s',
    async (file) => {
      // Sent over a connection, because inject would normalize the path.
      const { port } = bench.app.server.address() as AddressInfo;
      const [response] = (await once(get({ port, host: '127.0.0.1', path: `/docs/static/${file}` }), 'response')) as [
        IncomingMessage,
      ];
      expect([response.statusCode, await json(response)]).toMatchObject([
        404,
        { error: 'not_found', error_description: 'this path does not exist' },
      ]);
    },
  );

  it.each([
    [{ range: 'bytes=99999999-' }, 400],
    [{ 'if-match': '"x"' }, 412],
    [{ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 412],
  ])('refuses %j as a file of the page', async (headers, status) => {
    const response = await bench.app.inject({ url: '/docs/static/swagger-ui.css', headers });
    expect([response.statusCode, response.json()]).toMatchObject([
      status,
      { error: expect.any(String) as string, error_description: expect.any(String) as string },
    ]);
  });

  it.each([
    ['', ['/']],
    ['/things', ['/things', '/things/', '/']],
  ] as const)(
    'is where browsers that open the bare address below base "%s" are sent, and nobody else',
    async (base, addresses) => {
      await using mounted = await openBench(base === '' ? {} : { base });
      for (const address of addresses) {
        const opened = await mounted.call('GET', address, {
          as: null,
          headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
        });
        expect([opened.statusCode, opened.headers.location]).toEqual([302, `${base}/docs`]);
        const asked = await mounted.call('GET', address, { as: null, headers: { accept: '*/*' } });
        expect([asked.statusCode, asked.json()]).toMatchObject([404, { error: 'not_found' }]);
      }
    },
  );
});
