import type { Static, TObject, TSchema } from 'typebox';

import type { Explanation } from '../explain/index.ts';
import type { DeepReadonly, Kind, Resource } from '../kinds/index.ts';
import { followAnswer } from './followed.ts';
import { loadItem, type Item } from './item-access.ts';
import type { Answer, Request } from './request.ts';
import type { Operation, Route } from './route.ts';

type Values<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

type Common = Omit<Operation, 'method' | 'idempotency'>;

export interface ExplainDeclaration<P extends TObject, Wire extends TSchema> extends Common {
  readonly params: P;
  readonly response: Wire;
  /** Checks that the caller may read the resource, and explains it. */
  explain(request: Request<Values<P>>): Promise<Explanation & Values<Wire>>;
}

interface AnyExplain extends Common {
  readonly params: TObject;
  readonly response: TSchema;
  readonly watched?: (request: Request) => { readonly kind: Kind; readonly name: string };
  explain(request: Request): Promise<unknown>;
}

/**
 * Explains a resource that is not stored, such as an image. With `Accept: text/event-stream` it sends the explanation
 * again whenever it changes.
 */
export function explainRoute<P extends TObject, Wire extends TSchema>(declaration: ExplainDeclaration<P, Wire>): Route;
export function explainRoute(declaration: AnyExplain): Route {
  return explainedRoute(declaration);
}

function explainedRoute({ watched, ...declaration }: AnyExplain): Route {
  return {
    ...declaration,
    method: 'GET',
    responses: { 200: declaration.response },
    streams: true,
    handler: async (request): Promise<Answer> => {
      const explanation = await declaration.explain(request);
      if (!request.wantsEvents) return { status: 200, body: explanation };
      const followed = { answer: (current: Request) => declaration.explain(current) };
      return { events: followAnswer(watched ? { ...followed, watched: watched(request) } : followed, request) };
    },
  };
}

export interface ExplainItemDeclaration<K extends Kind, P extends TObject, Wire extends TSchema> extends Common {
  readonly params: P;
  readonly response: Wire;
  readonly item: Item<K>;
  explain(request: Request, object: Resource<K>): Promise<Explanation & Values<Wire>>;
}

interface AnyExplainItem extends Common {
  readonly params: TObject;
  readonly response: TSchema;
  readonly item: Item;
  explain(request: Request, object: Resource): Promise<Explanation>;
}

/**
 * Explains a stored object to callers who may read it.
 *
 * @example
 * explainItemRoute({
 *   ...common,
 *   path: `${path}/explain`,
 *   operationId: 'explainNetwork',
 *   params: NetworkPath,
 *   response: NetworkExplanation,
 *   item: networkItem,
 *   explain: ({ runtime, acl }, network) => explainNetwork(runtime, acl, network),
 * });
 */
export function explainItemRoute<K extends Kind, P extends TObject, Wire extends TSchema>(
  declaration: ExplainItemDeclaration<K, P, Wire>,
): Route;
export function explainItemRoute({ item, ...declaration }: AnyExplainItem): Route {
  const explainable: AnyExplain = {
    ...declaration,
    watched: ({ params }) => ({ kind: item.kind, name: params[item.param] ?? '' }),
    explain: async (request) => declaration.explain(request, await loadItem(item, request, 'read')),
  };
  return explainedRoute(explainable);
}
