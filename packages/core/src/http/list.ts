import type { Static, TArray, TObject, TSchema } from 'typebox';

import type { DeepReadonly } from '../kinds/index.ts';
import { paceOf } from '../pace.ts';
import type { Request } from './request.ts';
import type { Operation, Route } from './route.ts';
import { elementText, jsonArray } from './streamed.ts';
import { responseCheck } from './validation.ts';

export interface ListDeclaration<P extends TObject, Q extends TObject, Wire extends TSchema> extends Omit<
  Operation,
  'method' | 'idempotency'
> {
  readonly params?: P;
  readonly query?: Q;
  readonly response: TArray<Wire>;
  /**
   * Elements in the order of the list, some dozens at a time. An error before the first page is sent as an ordinary
   * refusal.
   */
  pages(
    request: Request<DeepReadonly<Static<P>>, DeepReadonly<Static<Q>>>,
  ): AsyncIterable<readonly DeepReadonly<Static<Wire>>[]>;
}

interface AnyList extends Omit<Operation, 'method' | 'idempotency'> {
  readonly params?: TObject;
  readonly query?: TObject;
  readonly response: TArray;
  pages(request: Request): AsyncIterable<readonly unknown[]>;
}

/**
 * A list that combines several kinds, or is not sorted by identifier. It is written to the client while it is read from
 * the store.
 *
 * @example
 * listRoute({
 *  path: '/api/v1/users', operationId: 'listUsers', summary: 'List users', tags: ['Users'], security: 'bearer',
 * response: Users,
 *   pages: async function* ({ runtime }) {
 *     for await (const { items } of pagesOf(runtime, User, everything)) yield items.map(present);
 *   },
 * });
 */
export function listRoute<P extends TObject, Q extends TObject, Wire extends TSchema>(
  declaration: ListDeclaration<P, Q, Wire>,
): Route;
export function listRoute(list: AnyList): Route {
  const violation = responseCheck(list.response.items);
  return {
    ...list,
    method: 'GET',
    responses: { 200: list.response },
    handler: (request) => ({ status: 200, text: jsonArray(texts(request, list.pages(request), violation)) }),
  };
}

async function* texts(
  request: Request,
  pages: AsyncIterable<readonly unknown[]>,
  violation: (element: unknown) => string | undefined,
): AsyncGenerator<readonly string[]> {
  for await (const page of pages) {
    yield page.map((element) => elementText(request, element, violation));
    await paceOf(request.runtime.world).turn();
  }
}
