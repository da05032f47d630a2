import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';

import type { CertificateTrust } from '../access/index.ts';
import type { DeepReadonly, Resource } from '../kinds/index.ts';
import type { Answer, Reply, Request, StreamedReply } from './request.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';

/**
 * `bearer`: a token is needed, and the handler checks rights. `authenticated`: a token is enough. `anonymous`: no
 * token.
 */
export type Security = 'bearer' | 'authenticated' | 'anonymous';

/** Schemas by status; null is an empty body. The errors that every operation can return are added automatically. */
export type Responses = Readonly<Record<number, TSchema | null>>;

type Headers = NonNullable<Reply['headers']>;

type BodyOf<Schema> = Schema extends TSchema
  ? { readonly body: DeepReadonly<Static<Schema>> }
  : { readonly body?: undefined };

/** The replies that a handler may return, as its responses declare them. */
export type ReplyOf<R extends Responses, Status extends keyof R> = {
  readonly status: Status;
  readonly headers?: Headers;
} & BodyOf<R[Status]>;

type Values<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

/** The properties of an operation besides its schemas. */
export interface Operation {
  readonly method: Method;
  /** With path variables in braces, such as `/api/v2/networks/{networkID}`. */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: Security;
  /** Served but not documented. */
  readonly hidden?: boolean;
  /** `no-cache` unless the response may be cached. */
  readonly cacheControl?: string;
  /**
   * `replay`: a repeated `Idempotency-Key` gets the first response again. `refuse`: the response contains a secret that
   * must not be stored, so the key is refused instead of ignored.
   */
  readonly idempotency?: 'replay' | 'refuse';
  /**
   * The verb under which the request is recorded in the history of the resource, such as `reboot`. `false`: the request
   * changes something that is not part of the history. Every route that changes a resource with a history declares it.
   */
  readonly records?: Recorded;
}

/** A verb, or one that depends on the query. */
export type Recorded = string | false | ((query: Readonly<Record<string, unknown>>) => string);

export interface RouteDeclaration<
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  R extends Responses,
  Status extends keyof R,
> extends Operation {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly responses: R;
  /** Request headers that the operation uses, for the API document. */
  readonly requestHeaders?: readonly string[];
  handler(
    request: Request<Values<P>, Values<Q>, Values<B>>,
  ): Promise<ReplyOf<R, Status> | StreamedReply> | ReplyOf<R, Status> | StreamedReply;
}

/** A declared operation of a service, with any schemas. */
export interface Route extends Operation {
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly responses: Responses;
  /** Request headers that the operation uses, for the API document. */
  readonly requestHeaders?: readonly string[];
  /** Can also answer with a stream of server-sent events. */
  readonly streams?: boolean;
  /** Opens a line for a client that asks for a WebSocket. */
  readonly opensLine?: boolean;
  /** Its actions on one object, for the list of actions. */
  readonly acts?: Acts;
  handler(request: Request): Promise<Answer> | Answer;
}

/** The actions of an operation, and the check that its handler begins with. */
export interface Acts {
  readonly names: readonly string[];
  /** Throws if the operation would be refused before it changes anything. */
  admit(request: Request, object: Resource): Promise<void>;
}

/**
 * An operation that does not use JSON, such as a login page or a token endpoint. Its handler gets the body as text,
 * sends any response, and authenticates the caller itself. It is not in the API document.
 */
export interface RawRoute {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  /**
   * Resolves once it has sent a response, or has started one. `certificates` is the client certificate of the
   * connection, or says whether a forwarded one may be trusted.
   */
  handler(request: FastifyRequest<RawShape>, reply: FastifyReply, certificates: CertificateTrust): Promise<void>;
}

export interface RawShape {
  Params: Readonly<Record<string, string>>;
  Body: string | undefined;
}

/**
 * Declares an operation. Its handler only gets requests that match the schemas, and its types come from the schemas.
 *
 * @example
 * route({
 *   method: 'POST', path: '/api/v2/things', operationId: 'createThing', summary: 'Create a thing', tags: ['Things'],
 *   security: 'bearer', body: ThingCreate, responses: { 201: ThingRead },
 *   handler: async ({ body, acl }) => ({ status: 201, body: await things.create(body, acl) }),
 * });
 */
export function route<
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  const R extends Responses,
  Status extends keyof R & number,
>(declaration: RouteDeclaration<P, Q, B, R, Status>): Route;
export function route(declaration: Route): Route {
  return declaration;
}

/** The names of a path's variables, in order. */
export function pathVariables(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');
}
