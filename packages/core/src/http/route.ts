import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';

import type { CertificateTrust } from '../access/index.ts';
import type { DeepReadonly, Resource } from '../kinds/index.ts';
import type { Answer, Reply, Request, StreamedReply } from './request.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';

/** `bearer`: a token, and rights that the handler checks. `authenticated`: a token is enough. `anonymous`: neither. */
export type Security = 'bearer' | 'authenticated' | 'anonymous';

/** By status; null is an empty body. The errors every operation can give are added by rule. */
export type Responses = Readonly<Record<number, TSchema | null>>;

type Headers = NonNullable<Reply['headers']>;

type BodyOf<Schema> = Schema extends TSchema
  ? { readonly body: DeepReadonly<Static<Schema>> }
  : { readonly body?: undefined };

/** What a handler may answer, as its responses declare it. */
export type ReplyOf<R extends Responses, Status extends keyof R> = {
  readonly status: Status;
  readonly headers?: Headers;
} & BodyOf<R[Status]>;

type Values<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

/** What is said about an operation besides its schemas. */
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
  /** `no-cache` unless the answer may be kept. */
  readonly cacheControl?: string;
  /**
   * `replay`: a repeated `Idempotency-Key` gets the first answer again. `refuse`: the answer holds a secret, which must
   * not be stored, so the key is refused rather than ignored.
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
  handler(
    request: Request<Values<P>, Values<Q>, Values<B>>,
  ): Promise<ReplyOf<R, Status> | StreamedReply> | ReplyOf<R, Status> | StreamedReply;
}

/** A declared operation of a service, whatever its schemas. */
export interface Route extends Operation {
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly responses: Responses;
  /** Request headers the operation understands, for the document. */
  readonly requestHeaders?: readonly string[];
  /** Also answers as a stream of server-sent events. */
  readonly streams?: boolean;
  /** What it does to one object, for the list of actions. */
  readonly acts?: Acts;
  handler(request: Request): Promise<Answer> | Answer;
}

/** The actions that an operation carries out, and the decision that its handler begins with. */
export interface Acts {
  readonly names: readonly string[];
  /** Refuses, by throwing, what the operation would refuse before it does anything. */
  admit(request: Request, object: Resource): Promise<void>;
}

/**
 * An operation that does not speak JSON, such as a login page or a token endpoint: its handler gets the body as text,
 * answers as it likes, and checks for itself who calls. It is served but never documented.
 */
export interface RawRoute {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  /**
   * Resolves once it has sent an answer, or has begun to. Is told whether a forwarded client certificate may be
   * believed.
   */
  handler(request: FastifyRequest<RawShape>, reply: FastifyReply, certificates: CertificateTrust): Promise<void>;
}

export interface RawShape {
  Params: Readonly<Record<string, string>>;
  Body: string | undefined;
}

/**
 * Declares an operation. Its handler sees only requests that match the schemas, and types follow from them.
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
