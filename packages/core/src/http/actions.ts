import { Type, type Static, type TObject } from 'typebox';

import { isProblem, type Problem } from '../errors/index.ts';
import type { DeepReadonly, Kind, Resource } from '../kinds/index.ts';
import { loadItem, type Item } from './item-access.ts';
import type { Asking } from './request.ts';
import type { Operation, Route } from './route.ts';

const ActionRead = Type.Object(
  {
    action: Type.String({ description: 'the action: update, delete, or the last part of the path' }),
    allowed: Type.Boolean({ description: 'whether the request would be accepted now, from this caller' }),
    reason: Type.Optional(
      Type.String({ description: 'why it is not allowed, with the message that the request would get' }),
    ),
    fulfilled: Type.Optional(
      Type.Boolean({ description: 'the action is not allowed because its result is already reached, or will be soon' }),
    ),
  },
  { $id: 'actionRead' },
);

export const ActionsRead = Type.Array(ActionRead, { $id: 'actionsRead' });

/** Why an action would be refused. */
export interface Refused {
  readonly reason: string;
  /** Whether the result of the action is already reached, or will be soon. */
  readonly fulfilled?: boolean;
}

/** Expected refusals of actions, by action name. */
export type Foreseen = Readonly<Record<string, Refused | undefined>>;

interface ActionsDeclaration<K extends Kind, P extends TObject> extends Omit<
  Operation,
  'method' | 'summary' | 'idempotency'
> {
  readonly params: P;
  readonly item: Item<K>;
  /** The resource in words, such as `an instance`. */
  readonly words: string;
  /** The operations on the item. Those that declare `actions` are listed. */
  readonly routes: readonly Route[];
  /**
   * Finds reasons that a handler only finds while it works, such as a refusal of the provider or an object that uses
   * the one to delete. It must not change anything. If the route's own check refuses an action, that reason is kept.
   */
  readonly foresee?: (object: Resource<K>, asking: Asking) => Promise<Foreseen> | Foreseen;
}

/**
 * Lists the actions that the caller can perform on one object now, with the reason for each that is not allowed. It is
 * a path of its own and not a field of the object: the object's schema, ETag and stream stay unchanged, and lists do
 * not pay the cost.
 *
 * @example
 * actionsRoute({ ...common, path: `${path}/actions`, operationId: 'listThingActions', params: ThingPath, item: thingItem, words: 'a thing', routes });
 */
export function actionsRoute<K extends Kind, P extends TObject>({
  words,
  routes,
  foresee,
  ...declaration
}: ActionsDeclaration<K, P>): Route {
  return {
    ...declaration,
    method: 'GET',
    summary: `List the actions that you can perform on ${words} now, and why others are not allowed`,
    responses: { 200: ActionsRead },
    handler: async (request) => {
      const object = await loadItem(declaration.item, request, 'read');
      const checked = await Promise.all(
        routes.map(async ({ acts }) => {
          const refusal = acts && (await refusalOf(() => acts.admit(request, object)));
          return (acts?.names ?? []).map((action) => ({ action, refused: refusal && { reason: refusal.message } }));
        }),
      );
      const actions = checked.flat();
      const isAnyLeft = actions.some(({ refused }) => refused === undefined);
      const foreseen = (isAnyLeft && (await foresee?.(object, request))) || {};
      return {
        status: 200,
        body: actions.map(({ action, refused }) => {
          const no = refused ?? foreseen[action];
          return { action, allowed: no === undefined, ...no };
        }),
      };
    },
  };
}

/**
 * Says what can be done with something that is not one stored object, such as an image of a cloud. Each check is the
 * one that the handler of the action begins with; it refuses by throwing, and changes nothing.
 *
 * @example await allowedActions({ delete: () => demandDeletable(image, request) });
 */
export async function allowedActions(
  checks: Readonly<Record<string, () => unknown>>,
): Promise<DeepReadonly<Static<typeof ActionsRead>>> {
  return Promise.all(
    Object.entries(checks).map(async ([action, check]) => {
      const refusal = await refusalOf(check);
      return { action, allowed: refusal === undefined, ...(refusal ? { reason: refusal.message } : {}) };
    }),
  );
}

/**
 * Predicts whether this check would refuse a deletion. The check looks for users of the object and for protected
 * content. A deletion that has begun is not checked again.
 *
 * @example foresee: (project, { runtime: { store } }) => foreseeDeletion(project, () => checkDeletion(store, project))
 */
export async function foreseeDeletion(
  { metadata }: Pick<Resource, 'metadata'>,
  check: () => Promise<void>,
): Promise<Foreseen> {
  const refusal = metadata.deletionTimestamp === undefined ? await refusalOf(check) : undefined;
  return refusal ? { delete: { reason: refusal.message } } : {};
}

/** The problem that a check throws, if the caller can solve it. */
async function refusalOf(check: () => unknown): Promise<Problem | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (isProblem(error) && error.status < 500) return error;
    throw error;
  }
}
