import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';

import type { Service } from '../../http/index.ts';
import { child, isObject, type Json } from '../json.ts';
import common from './common.json' with { type: 'json' };
import { resolveReferences, type ApiOperation } from './operations.ts';

export type Headers = Readonly<Record<string, string>>;

/** A running service with something for every path to name. */
export interface ContractStage {
  readonly service: Service;
  readonly server: FastifyInstance;
  /** Somebody who may do everything, and somebody who may do nothing. */
  readonly callers: { readonly everything: Headers; readonly nothing: Headers };
  /** The value of a path variable, of something that is there (and in a state that allows the operation) or is not. */
  variable(name: string, existence: 'present' | 'absent', operation: Pick<ApiOperation, 'name'>): string;
  /** A valid body of an operation that takes one. */
  body(operationId: string): object;
}

type Findings = readonly string[];
type Replay = (stage: ContractStage, operation: ApiOperation) => Promise<Findings>;

/** What the contract promises in the order its checks come, each tried on every operation it is about; the one that changes things comes last. */
export const replays: Readonly<Record<string, Replay>> = {
  'a method that a path does not have is refused': refusesOtherMethods,
  'an identifier that cannot be one is refused before anybody asks who calls': refusesBadIdentifiers,
  'without a token the challenge says where to get one': challengesStrangers,
  'a malformed body is refused before anybody asks what the caller may do': refusesMalformedBodies,
  'without the right the caller is refused': refusesTheUnentitled,
  'what does not exist is not found': missesWhatIsAbsent,
  'a valid request gets the answer that the contract declares, whatever else its body holds': answersValidRequests,
};

async function refusesOtherMethods(stage: ContractStage, operation: ApiOperation): Promise<Findings> {
  return refusalGaps(operation, 405, await send(stage, operation, { method: 'PATCH' }));
}

async function refusesBadIdentifiers(stage: ContractStage, operation: ApiOperation): Promise<Findings> {
  const identifiers = operation.parameters.filter((parameter) => parameter.in === 'path' && parameter.schema['format'] === 'uuid');
  return eachOf(identifiers, async ({ name }) => {
    const response = await send(stage, operation, { variables: { [name]: 'not-an-identifier' } });
    const text = 'invalid path/query element';
    return [...refusalGaps(operation, 400, response), ...(response.body.includes(text) ? [] : [`does not say "${text}", which clients look for`])];
  });
}

async function challengesStrangers(stage: ContractStage, operation: ApiOperation): Promise<Findings> {
  if (operation.security === 'anonymous') return [];
  const response = await send(stage, operation, {});
  const challenge = String(response.headers['www-authenticate']);
  const parts = ['Bearer error="access_denied"', 'error_description="', '/.well-known/openid-protected-resource"'];
  return [...refusalGaps(operation, 401, response), ...parts.filter((part) => !challenge.includes(part)).map((part) => `the challenge ${challenge} is without ${part}`)];
}

async function refusesMalformedBodies(stage: ContractStage, operation: ApiOperation): Promise<Findings> {
  if (!operation.body) return [];
  const json = { 'content-type': 'application/json' };
  const malformed = [
    { headers: json, payload: '' },
    { headers: json, payload: '{"metadata":' },
    { headers: json, payload: '[]' },
    { headers: json, payload: '{}' },
    { headers: { 'content-type': 'text/plain' }, payload: '{}' },
  ];
  return eachOf(malformed, async ({ headers, payload }) => refusalGaps(operation, 400, await send(stage, operation, { headers: { ...headers, ...stage.callers.nothing }, payload })));
}

async function refusesTheUnentitled(stage: ContractStage, operation: ApiOperation): Promise<Findings> {
  if (operation.security !== 'bearer') return [];
  return refusalGaps(operation, 403, await send(stage, operation, { headers: stage.callers.nothing, ...validPayload(stage, operation) }));
}

async function missesWhatIsAbsent(stage: ContractStage, operation: ApiOperation): Promise<Findings> {
  const last = operation.parameters.findLast((parameter) => parameter.in === 'path' && parameter.schema['format'] === 'uuid');
  if (!last || !operation.responses.has(404)) return [];
  const variables = { [last.name]: stage.variable(last.name, 'absent', operation) };
  return refusalGaps(operation, 404, await send(stage, operation, { headers: stage.callers.everything, variables, ...validPayload(stage, operation) }));
}

async function answersValidRequests(stage: ContractStage, operation: ApiOperation): Promise<Findings> {
  const headers = operation.security === 'anonymous' ? {} : stage.callers.everything;
  const response = await send(stage, operation, { headers, ...validPayload(stage, operation, { 'unknown-to-the-contract': true }) });
  if (response.statusCode >= 400) return [`is answered ${response.statusCode} ${response.body}`];
  return [...answerGaps(operation, response), ...(response.body === '[]' ? ['is answered with an empty list, which proves nothing'] : [])];
}

interface Sent {
  readonly method?: 'PATCH';
  readonly headers?: Headers;
  readonly variables?: Headers;
  readonly payload?: string | object;
}

function send(stage: ContractStage, operation: ApiOperation, sent: Sent): Promise<LightMyRequestResponse> {
  const { method, path } = operation;
  const { headers = {}, variables = {}, payload } = sent;
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) => encodeURIComponent(variables[name] ?? stage.variable(name, 'present', operation)));
  return stage.server.inject({ method: sent.method ?? method, url: `${stage.service.base ?? ''}${filled}`, headers: { ...headers }, ...(payload === undefined ? {} : { payload }) });
}

function validPayload(stage: ContractStage, { method, path, body }: ApiOperation, besides: object = {}): Pick<Sent, 'payload'> {
  const route = stage.service.routes.find((candidate) => candidate.method === method && candidate.path === path);
  return body && route ? { payload: { ...stage.body(route.operationId), ...besides } } : {};
}

const wireCodes: Readonly<Record<number, string>> = { 400: 'invalid_request', 401: 'access_denied', 403: 'forbidden', 404: 'not_found', 405: 'method_not_allowed' };

function refusalGaps(operation: ApiOperation, status: number, response: LightMyRequestResponse): Findings {
  if (response.statusCode !== status) return [`is answered ${response.statusCode} ${response.body}, and not ${status}`];
  const code = child(response.json(), 'error');
  return [
    ...answerGaps(operation, response, errorBody),
    ...(code === wireCodes[status] ? [] : [`is called ${String(code)}, and not ${String(wireCodes[status])}`]),
    ...(response.headers['cache-control'] === 'no-cache' ? [] : ['may be kept by caches']),
  ];
}

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);

const errorBody = child(resolveReferences({ common }, 'common'), 'components', 'schemas', 'error');

/** What an answer does wrong by the contract's own schema of it; what the contract does not declare is measured by the fallback. */
export function answerGaps({ responses }: ApiOperation, response: LightMyRequestResponse, fallback?: unknown): Findings {
  const { statusCode: status, body, headers } = response;
  const declared = responses.get(status);
  if (!declared && fallback === undefined) return [`is answered ${status}, which the contract does not declare`];
  const schema = declared ? declared.json : fallback;
  if (!isObject(schema)) return body === '' ? [] : [`has a body, in the contract ${status} is empty`];
  if (!String(headers['content-type']).startsWith('application/json')) return [`is of the type ${String(headers['content-type'])}`];
  return violations(schema, response.json());
}

function violations(schema: Json, value: unknown): Findings {
  const validate = ajv.compile(schema);
  return validate(value) ? [] : [`${ajv.errorsText(validate.errors, { dataVar: 'answer' })}: ${JSON.stringify(value)}`];
}

async function eachOf<T>(cases: readonly T[], check: (one: T) => Promise<Findings>): Promise<Findings> {
  const findings: string[] = [];
  for (const one of cases) findings.push(...(await check(one)));
  return findings;
}
