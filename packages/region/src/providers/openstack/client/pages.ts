import { Type, type Static, type TSchema } from 'typebox';

import { failed } from './failures.ts';
import { limits } from './limits.ts';
import type { Session, SessionCall } from './session.ts';
import { shapeOf, type Shape } from './shape.ts';

/** Where a list is found in an answer, and what its items are like. */
export interface ListShape<T> {
  readonly field: string;
  readonly shape: Shape<Readonly<Record<string, unknown>>>;
  readonly items: Shape<readonly T[]>;
}

/** Every list that has pages consists of things with an id, by which the next page is asked for. */
export function listShape<Schema extends TSchema>(field: string, item: Schema): ListShape<Static<Schema>> {
  return {
    field,
    shape: shapeOf(Type.Object({ [field]: Type.Array(Type.Unknown()) })),
    items: shapeOf(Type.Array(item)),
  };
}

export type ListCall = Omit<SessionCall, 'method' | 'body'>;

/** All items of a list, page by page. */
export async function allOf<T extends { readonly id: string }>(
  session: Session,
  call: ListCall,
  list: ListShape<T>,
): Promise<readonly T[]> {
  const found: T[] = [];
  let marker: string | undefined;
  for (let page = 0; page < limits.pages; page++) {
    const query = { limit: limits.pageItems, ...call.query, marker };
    const { items, more } = await pageOf(session, { ...call, query }, list);
    found.push(...items);
    const last = items.at(-1);
    if (!more || !last) return found;
    if (last.id === marker) break;
    marker = last.id;
  }
  throw failed('inconsistent', call, new Error(`the list ${call.path} does not end`));
}

/** A list that the service answers whole. */
export async function wholeOf<T>(session: Session, call: ListCall, list: ListShape<T>): Promise<readonly T[]> {
  return (await pageOf(session, call, list)).items;
}

async function pageOf<T>(
  session: Session,
  call: ListCall,
  { field, items, shape }: ListShape<T>,
): Promise<{ readonly items: readonly T[]; readonly more: boolean }> {
  // A page may have thousands of things, so each is checked once.
  let found: readonly T[] = [];
  const whole: Shape<Readonly<Record<string, unknown>>> = {
    Check: (value): value is Readonly<Record<string, unknown>> => {
      const listed = shape.Check(value) ? value[field] : undefined;
      if (!items.Check(listed)) return false;
      found = listed;
      return true;
    },
  };
  const body = await session.ask({ ...call, method: 'GET' }, whole);
  return { items: found, more: hasMore(body, field) };
}

/**
 * Whether another page follows. The address of it is not used: it may be one that only the cloud itself can reach.
 * Nova, Neutron, Octavia and Cinder link the next page beside the list, Glance and Ironic in `next`, Keystone in
 * `links`.
 */
function hasMore(body: Readonly<Record<string, unknown>>, field: string): boolean {
  const beside = body[`${field}_links`] ?? body[`${field.replace(/s$/, '')}_links`];
  if (Array.isArray(beside)) return beside.some((link) => fieldOf(link, 'rel') === 'next');
  return typeof body['next'] === 'string' || typeof fieldOf(body['links'], 'next') === 'string';
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : null;
}
