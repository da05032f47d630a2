import { Type, type TObject } from 'typebox';

import { isProblem, type Problem } from '../errors/index.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { loadItem, type Item } from './item-access.ts';
import type { Asking } from './request.ts';
import type { Operation, Route } from './route.ts';

const ActionRead = Type.Object(
  {
    action: Type.String({ description: 'what can be done: update, delete, or the last word of the path' }),
    allowed: Type.Boolean({ description: 'whether the request would be accepted now, from this caller' }),
    reason: Type.Optional(
      Type.String({ description: 'why not, in the words with which the request would be refused' }),
    ),
    fulfilled: Type.Optional(
      Type.Boolean({ description: 'of what is not allowed: what it leads to is so already, or is about to be' }),
    ),
  },
  { $id: 'actionRead' },
);

export const ActionsRead = Type.Array(ActionRead, { $id: 'actionsRead' });

/** Why an action would be refused. */
export interface Refused {
  readonly reason: string;
  /** Whether what the action leads to is so already, or is about to be. */
  readonly fulfilled?: boolean;
}

/** Refusals of actions, by their names. */
export type Foreseen = Readonly<Record<string, Refused | undefined>>;

interface ActionsDeclaration<K extends Kind, P extends TObject> extends Omit<
  Operation,
  'method' | 'summary' | 'idempotency'
> {
  readonly params: P;
  readonly item: Item<K>;
  /** How people read of it, such as `an instance`. */
  readonly words: string;
  /** The operations on the item. Those that declare `actions` are listed. */
  readonly routes: readonly Route[];
  /**
   * Reasons that a handler finds only while it works, such as a provider's refusal or a user of something to be
   * deleted. It must not change anything. An action that its own check refuses already keeps that reason.
   */
  readonly foresee?: (object: Resource<K>, asking: Asking) => Promise<Foreseen> | Foreseen;
}

/**
 * Says what the caller can do with one object now, and why not. It is a path of its own and not a field of the object:
 * the object's shape, ETag and stream stay as they are, and lists do not pay for it.
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
    summary: `List what you can do with ${words} now, and why not`,
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
 * Foresees whether a request to delete something would be refused by this check, which looks for users and for
 * protected content. A deletion that has begun is not checked again.
 */
export async function foreseeDeletion(
  { metadata }: Pick<Resource, 'metadata'>,
  check: () => Promise<void>,
): Promise<Foreseen> {
  const refusal = metadata.deletionTimestamp === undefined ? await refusalOf(check) : undefined;
  return refusal ? { delete: { reason: refusal.message } } : {};
}

/** The problem that a check throws, if it is the caller's to solve. */
export async function refusalOf(check: () => Promise<void> | void): Promise<Problem | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (isProblem(error) && error.status < 500) return error;
    throw error;
  }
}
