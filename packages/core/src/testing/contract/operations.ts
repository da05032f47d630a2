import type { Security } from '../../http/index.ts';
import { child, isObject, items, names, type Json } from '../json.ts';

/** An operation of an OpenAPI document, with every reference resolved. */
export interface ApiOperation {
  /** Such as `GET /api/v2/networks/{networkID}`. */
  readonly name: string;
  readonly method: ApiMethod;
  readonly path: string;
  /** Operations of the contract have none. */
  readonly operationId: string | undefined;
  readonly hidden: boolean;
  readonly security: Security;
  /** The accepted authentication schemes. */
  readonly schemes: readonly string[];
  readonly parameters: readonly ApiParameter[];
  readonly body: ApiBody | undefined;
  readonly responses: ReadonlyMap<number, ApiResponse>;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type ApiMethod = (typeof methods)[number];

export interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Json;
}

export interface ApiBody {
  readonly required: boolean;
  /** Absent when the body is a form. */
  readonly json: Json | undefined;
}

export interface ApiResponse {
  /** Absent when the response is empty or a page. */
  readonly json: Json | undefined;
}

/** Documents that refer to each other, by the names that the references use. */
export type ApiDocuments = Readonly<Record<string, unknown>>;

/** Every operation of one of the documents. */
export function readOperations(documents: ApiDocuments, name: string): readonly ApiOperation[] {
  const paths = child(resolveReferences(documents, name), 'paths');
  return names(paths).flatMap((path) =>
    methods
      .filter((method) => child(paths, path, method.toLowerCase()) !== undefined)
      .map((method) => readOperation(child(paths, path), path, method)),
  );
}

function readOperation(shared: unknown, path: string, method: ApiMethod): ApiOperation {
  const operation = child(shared, method.toLowerCase());
  const [body, operationId] = [child(operation, 'requestBody'), child(operation, 'operationId')];
  return {
    name: `${method} ${path}`,
    method,
    path,
    operationId: typeof operationId === 'string' ? operationId : undefined,
    hidden: child(operation, 'x-hidden') === true,
    security: securityOf(operation),
    schemes: items(child(operation, 'security')).flatMap(names),
    parameters: [...items(child(shared, 'parameters')), ...items(child(operation, 'parameters'))].map(readParameter),
    body: body === undefined ? undefined : { required: child(body, 'required') === true, json: jsonOf(body) },
    responses: new Map(
      names(child(operation, 'responses')).map((status) => [
        Number(status),
        { json: jsonOf(child(operation, 'responses', status)) },
      ]),
    ),
  };
}

function securityOf(operation: unknown): Security {
  if (child(operation, 'x-no-security-requirements') === true) return 'anonymous';
  return child(operation, 'x-no-authorization') === true ? 'authenticated' : 'bearer';
}

function readParameter(parameter: unknown): ApiParameter {
  const schema = child(parameter, 'schema');
  return {
    name: String(child(parameter, 'name')),
    in: String(child(parameter, 'in')),
    required: child(parameter, 'required') === true,
    schema: isObject(schema) ? schema : {},
  };
}

function jsonOf(message: unknown): Json | undefined {
  const schema = child(message, 'content', 'application/json', 'schema');
  return isObject(schema) ? schema : undefined;
}

/** A document with its references replaced by their targets. */
export function resolveReferences(documents: ApiDocuments, name: string): unknown {
  const resolve = (value: unknown, home: string, within: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item) => resolve(item, home, within));
    if (!isObject(value)) return value;
    const reference = value['$ref'];
    if (typeof reference !== 'string')
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner, home, within)]));
    const [file = '', pointer = ''] = reference.split('#/', 2);
    const target = file === '' ? home : file;
    const address = `${target}#/${pointer}`;
    const found = child(documents[target], ...pointer.split('/'));
    if (found === undefined || within.includes(address))
      throw new Error(`reference ${address} ${found === undefined ? 'does not exist' : 'refers to itself'}`);
    return resolve(found, target, [...within, address]);
  };
  return resolve(documents[name], name, []);
}
