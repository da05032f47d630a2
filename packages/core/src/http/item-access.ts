import { knowsOrganization, type Operation as Verb } from '../access/index.ts';
import { Problem } from '../errors/index.ts';
import { kindWords, type Kind, type Resource } from '../kinds/index.ts';
import { labels } from '../resource/index.ts';
import { getKnown, type Store } from '../store/index.ts';
import type { Request } from './request.ts';

/**
 * The order of the existence check and the access check. Generation 2 paths only name the object, so it is loaded
 * first: a missing object is 404, and missing rights are 403. But if the caller has no role in the object's
 * organization, the response is 404. Generation 1 paths name the organization, so access is checked first, and an
 * object of another organization is 404.
 */
export type ItemAccess<K extends Kind> =
  | { readonly order: 'load first'; readonly allows: (verb: Verb, object: Resource<K>, request: Request) => boolean }
  | {
      readonly order: 'check first';
      readonly allows: (verb: Verb, request: Request) => boolean;
      readonly belongs: (object: Resource<K>, request: Request) => boolean;
    };

/** One object that a path variable names. It is declared once for all operations on the object. */
export interface Item<K extends Kind = Kind> {
  readonly kind: K;
  /** The path variable that holds its identifier. */
  readonly param: string;
  readonly access: ItemAccess<K>;
  /** The right that `access` checks, such as `compute:instances`, for the message of a refusal. */
  readonly endpoint?: string;
  /** Objects that are answered with 404 whatever the caller's rights, such as objects of another API generation. */
  readonly hidden?: (object: Resource<K>, request: Request) => boolean;
  /** The error code of a change while the object is being deleted, if it is not `invalid_request`. */
  readonly whileDeleted?: 'unprocessable_content';
  /**
   * Calls of services read the copy of this process (`getKnown`). For objects of which services only use what does not
   * change, such as the place, and whose deletion is noticed by a later step of the service. Users always read the
   * latest state.
   */
  readonly isSettled?: boolean;
  /** Its version, if more is shown with the object than it stores, such as the groups of a user. */
  readonly versionOf?: (object: Resource<K>, store: Store) => Promise<string>;
}

/** Loads an object, with the checks in the order of the contract. */
export async function loadItem<K extends Kind>(item: Item<K>, request: Request, verb: Verb): Promise<Resource<K>> {
  const id = request.params[item.param] ?? '';
  const { access } = item;
  if (access.order === 'check first' && !access.allows(verb, request)) throw refused(item, verb);
  const object = foundFor(request, item.kind, id) ?? (await stored(item, request, id));
  if (!object || item.hidden?.(object, request)) throw missing(item, id);
  if (access.order === 'check first') {
    if (!access.belongs(object, request)) throw missing(item, id);
    return object;
  }
  if (!access.allows('read', object, request))
    throw isOfKnownOrganization(object, request) ? refused(item, 'read') : missing(item, id);
  demandVerb(item, request, verb, object);
  return object;
}

function stored<K extends Kind>(
  { kind, isSettled }: Item<K>,
  { caller, runtime: { store } }: Request,
  id: string,
): Promise<Resource<K> | undefined> {
  return isSettled && caller.accountType === 'system' ? getKnown(store, kind, id) : store.get(kind, id);
}

function foundFor<K extends Kind>(request: Request, kind: K, id: string): Resource<K> | undefined;
function foundFor({ found }: Request, kind: Kind, id: string): Resource | undefined {
  return found?.kind.id === kind.id && found.object.metadata.name === id ? found.object : undefined;
}

/** Refuses a verb that the caller's roles do not allow on an object that the caller may read. */
export function demandVerb<K extends Kind>(item: Item<K>, request: Request, verb: Verb, object: Resource<K>): void {
  const { access } = item;
  const isAllowed =
    access.order === 'check first' ? access.allows(verb, request) : access.allows(verb, object, request);
  if (!isAllowed) throw refused(item, verb);
}

function isOfKnownOrganization({ metadata }: Resource, { acl }: Request): boolean {
  const organizationId = metadata.labels?.[labels.organization];
  return organizationId !== undefined && knowsOrganization(acl, organizationId);
}

/** Whether the caller may (still) read the object. A stream checks this for every change. */
export function mayRead(item: Item, object: Resource, request: Request): boolean {
  if (item.hidden?.(object, request)) return false;
  const { access } = item;
  return access.order === 'load first'
    ? access.allows('read', object, request)
    : access.allows('read', request) && access.belongs(object, request);
}

export function missing(item: Item, id: string): Problem {
  return new Problem('not_found', `${kindWords(item.kind)} ${id} does not exist`);
}

function refused({ endpoint }: Pick<Item, 'endpoint'>, verb: Verb): Problem {
  return new Problem(
    'forbidden',
    `your roles do not allow ${verb} on ${endpoint === undefined ? 'this resource' : `${endpoint} here`}`,
  );
}
