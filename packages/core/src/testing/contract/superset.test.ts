import { describe, expect, it } from 'vitest';

import type { Json } from '../json.ts';
import { readOperations, type ApiOperation } from './operations.ts';
import { operationGaps, type ServedApi } from './superset.ts';

const name = 'PUT /things/{thingID}';
const json = (schema: Json) => ({ content: { 'application/json': { schema } } });
const reference = { $ref: 'shared.json#/schemas/thing' };
const thing = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

const declaration = {
  security: [{ oauth2Authentication: [] }],
  parameters: [{ name: 'deep', in: 'query', schema: { type: 'boolean' } }],
  requestBody: { required: true, ...json(reference) },
  responses: { 202: json(reference), 404: json({ type: 'object' }) },
};

function read(operation: Json): ApiOperation {
  const path = {
    parameters: [{ name: 'thingID', in: 'path', required: true, schema: { type: 'string' } }],
    put: operation,
  };
  const [found] = readOperations(
    { document: { paths: { '/things/{thingID}': path } }, 'shared.json': { schemas: { thing } } },
    'document',
  );
  if (!found) throw new Error('the operation was not read');
  return found;
}

function published(changes: Json): ServedApi {
  const operation = read({ ...declaration, ...changes });
  return { published: [operation], declared: [operation], raw: [] };
}

const changes: readonly (readonly [Json, string])[] = [
  [{ security: [{ other: [] }] }, 'security: oauth2Authentication is not accepted'],
  [{ 'x-no-authorization': true }, 'security: is authenticated, but in the contract bearer'],
  [{ parameters: [] }, 'query deep: is missing'],
  [
    { parameters: [{ name: 'deep', in: 'query', required: true, schema: { type: 'boolean' } }] },
    'query deep: is required, but not in the contract',
  ],
  [
    { parameters: [{ name: 'deep', in: 'query', schema: { type: 'integer' } }] },
    'query deep: type is "integer", but in the contract "boolean"',
  ],
  [
    { parameters: [...declaration.parameters, { name: 'wide', in: 'query', required: true, schema: {} }] },
    'query wide: is required, but not in the contract',
  ],
  [{ requestBody: undefined }, 'request body: is missing'],
  [
    { requestBody: { required: true, ...json({ ...thing, required: ['name', 'size'] }) } },
    'request body.size: is required, but not in the contract',
  ],
  [{ responses: { 202: json(reference) } }, 'response 404: is missing'],
  [{ responses: { ...declaration.responses, 202: {} } }, 'response 202: is empty, but in the contract it has a body'],
  [{ responses: { ...declaration.responses, 200: json(reference) } }, 'response 200: is not in the contract'],
  [
    { responses: { ...declaration.responses, 202: json({ ...thing, required: [] }) } },
    'response 202.name: may be absent, but not in the contract',
  ],
];

describe('the served API', () => {
  it('may have additions that clients can ignore', () => {
    const more = published({
      parameters: [...declaration.parameters, { name: 'limit', in: 'query', schema: { type: 'integer' } }],
      responses: {
        ...declaration.responses,
        202: json({ ...thing, properties: { ...thing.properties, size: { type: 'integer' } } }),
        412: {},
      },
    });
    expect(operationGaps(more, read(declaration))).toEqual([]);
  });

  it.each(changes)('must not differ by %j', (change, gap) => {
    expect(operationGaps(published(change), read(declaration))).toEqual([`${name} ${gap}`]);
  });

  it('has every operation, as visible as in the contract', () => {
    const [open, hidden] = [read(declaration), read({ ...declaration, 'x-hidden': true })];
    expect(operationGaps({ published: [], declared: [], raw: [] }, open)).toEqual([`${name}: is not served`]);
    expect(operationGaps({ published: [], declared: [open], raw: [] }, hidden)).toEqual([]);
    expect(operationGaps({ published: [], declared: [open], raw: [] }, open)).toEqual([
      `${name} document: does not document it, but the contract does`,
    ]);
    expect(operationGaps(published({}), hidden)).toEqual([`${name} document: documents it, but the contract hides it`]);
  });

  it('is searched among the raw routes if the contract hides it', () => {
    const raw: ServedApi = { published: [], declared: [], raw: [name] };
    expect(operationGaps(raw, read({ ...declaration, 'x-hidden': true, 'x-no-security-requirements': true }))).toEqual(
      [],
    );
    expect(operationGaps(raw, read(declaration))).toEqual([`${name}: is not declared, but it is in the contract`]);
  });
});

describe('a reference', () => {
  it('that does not exist, or refers to itself, is an error', () => {
    expect(() => readOperations({ a: { paths: { $ref: '#/missing' } } }, 'a')).toThrow('does not exist');
    expect(() => readOperations({ a: { paths: { $ref: '#/paths' } } }, 'a')).toThrow('refers to itself');
  });
});
