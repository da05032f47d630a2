import { defined } from '@unikorn/core/defined';
import type { Kind, Metadata } from '@unikorn/core/kinds';
import { referencesTo, userWords, type ReferenceRecord } from '@unikorn/core/references';
import { parseReference, type Reference } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';

import { Server } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { serverUses } from './uses.ts';
import { serverUsesOf, type ServerUse } from './walk.ts';

type Used = Pick<Metadata, 'name' | 'labels'>;

/** Who uses something. */
export interface User extends Reference {
  /** What people know it by, where that is not its kind and id. */
  readonly alias?: string;
}

/**
 * Who uses something, at most this many of them. The store is asked, not a cache: whoever was acknowledged before is
 * found.
 *
 * @example const [first] = await usersOf(store, SecurityGroup, group.metadata, 1);
 */
export async function usersOf(store: Store, kind: Kind, used: Used, most: number): Promise<readonly User[]> {
  const users = (await referencesTo(store, kind, used.name, most)).map(userOf);
  const referring = new Set(users.map(({ id }) => id));
  for (const use of serverUsesOf(kind.id))
    users.push(...(await serversUsing(store, kind, used, use, referring, most - users.length)));
  return users;
}

function userOf(record: ReferenceRecord): User {
  return {
    ...parseReference(record.spec.reference),
    ...(record.spec.name === undefined ? {} : { alias: userWords(record) }),
  };
}

/**
 * Servers are the only users that are found by a label. One that was made for something that refers itself is not named
 * besides.
 */
async function serversUsing(
  store: Store,
  kind: Kind,
  used: Used,
  { label, holds }: ServerUse,
  referring: ReadonlySet<string>,
  most: number,
): Promise<readonly User[]> {
  if (most <= 0) return [];
  const selector = matching({ [label]: holds === 'the id of the used' ? used.name : (used.labels?.[label] ?? '') });
  const found: User[] = [];
  let next: string | undefined;
  do {
    const page = await store.list(Server, {
      selector,
      limit: limits.usersPage,
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
 * The tag by which a service says of a server what of its own it made it for, such as
 * `compute.unikorn-cloud.org/instance-id`.
 */
const purposeTag = /^([a-z]+)\.unikorn-cloud\.org\/([a-z]+)-id$/;

/** What a service made a server for, such as the `instance` of the service `compute` that has this id. */
export interface Purpose {
  readonly service: string;
  readonly thing: string;
  readonly id: string;
}

/** What a server was made for, by its tags. */
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
