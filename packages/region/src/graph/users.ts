import { defined } from '@unikorn/core/defined';
import type { Kind, Metadata } from '@unikorn/core/kinds';
import { referencesTo, userWords, type ReferenceRecord } from '@unikorn/core/references';
import { parseReference, type Reference } from '@unikorn/core/resource';
import { matching, type ReadOptions, type Store } from '@unikorn/core/store';

import { Server } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { serverUses } from './uses.ts';
import { serverUsesOf, type ServerUse } from './walk.ts';

type Used = Pick<Metadata, 'name' | 'labels'>;

/** A user of an object. */
export interface User extends Reference {
  /** The name that people know it by, if it is not its kind and id. */
  readonly alias?: string;
}

/**
 * The users of an object, up to a maximum number. Unless `cached` is set, it reads the store and not a copy, so it
 * finds every user that was stored before.
 *
 * @example const [first] = await usersOf(store, SecurityGroup, group.metadata, 1);
 */
export async function usersOf(
  store: Store,
  kind: Kind,
  used: Used,
  most: number,
  options: ReadOptions = {},
): Promise<readonly User[]> {
  const users = (await referencesTo(store, kind, used.name, most, options)).map(userOf);
  const referring = new Set(users.map(({ id }) => id));
  for (const use of serverUsesOf(kind.id))
    users.push(...(await serversUsing(store, kind, used, use, referring, most - users.length, options)));
  return users;
}

function userOf(record: ReferenceRecord): User {
  return {
    ...parseReference(record.spec.reference),
    ...(record.spec.name === undefined ? {} : { alias: userWords(record) }),
  };
}

/**
 * Servers are the only users that are found by a label. A server that was created for a user with its own reference is
 * not listed twice.
 */
async function serversUsing(
  store: Store,
  kind: Kind,
  used: Used,
  { label, holds }: ServerUse,
  referring: ReadonlySet<string>,
  most: number,
  options: ReadOptions,
): Promise<readonly User[]> {
  if (most <= 0) return [];
  const selector = matching({ [label]: holds === 'the id of the used' ? used.name : (used.labels?.[label] ?? '') });
  const found: User[] = [];
  let next: string | undefined;
  do {
    const page = await store.list(Server, {
      selector,
      limit: limits.usersPage,
      ...options,
      ...defined({ continue: next }),
    });
    const users = page.items.filter((server) =>
      serverUses(server).some((use) => use.kind === kind.id && use.id === used.name),
    );
    found.push(...users.flatMap((server) => (madeForAny(server, referring) ? [] : [userBy(server)])));
    next = page.continue;
  } while (next !== undefined && found.length < most);
  return found.slice(0, most);
}

/**
 * The tag with which a service names the resource that a server was created for, such as
 * `compute.unikorn-cloud.org/instance-id`.
 */
const purposeTag = /^([a-z]+)\.unikorn-cloud\.org\/([a-z]+)-id$/;

/** The resource that a server was created for, such as the `instance` with this id in the service `compute`. */
export interface Purpose {
  readonly service: string;
  readonly thing: string;
  readonly id: string;
}

/** The resources that a server was created for, from its tags. */
export function purposesOf({ spec }: Pick<Server, 'spec'>): readonly Purpose[] {
  return (spec.tags ?? []).flatMap(({ name, value: id }) => {
    const [, service, thing] = purposeTag.exec(name) ?? [];
    return service === undefined || thing === undefined ? [] : [{ service, thing, id }];
  });
}

function madeForAny(server: Server, ids: ReadonlySet<string>): boolean {
  return purposesOf(server).some(({ id }) => ids.has(id));
}

function userBy(server: Server): User {
  const [purpose] = purposesOf(server);
  const alias = purpose && `${purpose.thing} ${purpose.id}`;
  return { kind: Server.id, id: server.metadata.name, ...defined({ alias }) };
}
