import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

import { defined } from '../../defined.ts';
import { child, isObject, type Json } from '../json.ts';
import common from './common.json' with { type: 'json' };
import { resolveReferences, type ApiOperation } from './operations.ts';
import type { ContractStage, Headers, WireAnswer } from './stage.ts';

export type Findings = readonly string[];

/** The parts of a request that differ; everything else is valid for the operation. */
export interface Sent {
  readonly method?: 'PATCH';
  readonly headers?: Headers;
  readonly variables?: Headers;
  readonly query?: Headers;
  readonly payload?: string | object;
}

/** The trace id that every response must have. */
const traceId = '0af7651916cd43dd8448eb211c80319c';

export function send(stage: ContractStage, operation: ApiOperation, sent: Sent): Promise<WireAnswer> {
  const { headers = {}, variables = {}, query, payload } = sent;
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) =>
    encodeURIComponent(variables[name] ?? stage.variable(name, 'present', operation)),
  );
  return stage.send({
    operation,
    method: sent.method ?? operation.method,
    url: query ? `${path}?${new URLSearchParams(query).toString()}` : path,
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01`, ...headers },
    ...defined({ payload }),
  });
}

export function validPayload(stage: ContractStage, operation: ApiOperation): Pick<Sent, 'payload'> {
  return operation.body ? { payload: stage.body(operation) } : {};
}

/** A valid body with a tag, and with an unknown field in each of its objects, at every depth. */
export function payloadWithUnknowns(stage: ContractStage, operation: ApiOperation): Pick<Sent, 'payload'> {
  if (!operation.body) return {};
  const body = stage.body(operation);
  const metadata = child(body, 'metadata');
  return {
    payload: withUnknowns(
      isObject(metadata)
        ? { ...body, metadata: { ...metadata, tags: [{ name: 'walked', value: 'by' }] } }
        : { ...body },
    ),
  };
}

function withUnknowns(value: Json): Json {
  return {
    ...Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unknownsIn(inner)])),
    'unknown-to-the-contract': true,
  };
}

function unknownsIn(value: unknown): unknown {
  return Array.isArray(value) ? value.map(unknownsIn) : isObject(value) ? withUnknowns(value) : value;
}

/** The identifiers in the path of an operation. */
export function identifiersOf({ parameters }: ApiOperation): readonly string[] {
  return parameters
    .filter((parameter) => parameter.in === 'path' && parameter.schema['format'] === 'uuid')
    .map(({ name }) => name);
}

const wireCodes: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'access_denied',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
};

/** Compares a refusal with the expected status, and returns the differences. */
export function refusalGaps(operation: ApiOperation, status: number, answer: WireAnswer): Findings {
  if (answer.statusCode !== status)
    return [`was answered with ${answer.statusCode} ${answer.body}, expected ${status}`];
  const { error: code, trace_id: trace } = errorOf(answer);
  return [
    ...answerGaps(operation, answer, errorBody),
    ...(code === wireCodes[status]
      ? []
      : [`has the error code ${String(code)}, expected ${String(wireCodes[status])}`]),
    ...(trace === traceId ? [] : [`has the trace id ${String(trace)}, expected that of the request`]),
    ...(answer.headers['cache-control'] === 'no-cache' ? [] : ['may be cached']),
  ];
}

function errorOf({ body }: WireAnswer): Json {
  const parsed: unknown = JSON.parse(body);
  return isObject(parsed) ? parsed : {};
}

/** Reports all violations, so that a deviation for one does not hide others. */
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);

const errorBody = child(resolveReferences({ common }, 'common'), 'components', 'schemas', 'error');

/**
 * The violations of a response against the document of the operation; undeclared statuses are checked against the
 * fallback.
 */
export function answerGaps({ responses }: ApiOperation, answer: WireAnswer, fallback?: unknown): Findings {
  const { statusCode: status, body, headers } = answer;
  const declared = responses.get(status);
  if (!declared && fallback === undefined) return [`was answered with ${status}, which the contract does not declare`];
  const schema = declared ? declared.json : fallback;
  if (!isObject(schema)) return body === '' ? [] : [`has a body, but in the contract ${status} is empty`];
  if (!String(headers['content-type']).startsWith('application/json'))
    return [`has the content type ${String(headers['content-type'])}`];
  return violations(schema, JSON.parse(body));
}

function violations(schema: Json, value: unknown): Findings {
  const validate = ajv.compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message = 'does not match' }) => `answer${instancePath} ${message}: ${JSON.stringify(value)}`,
  );
}
