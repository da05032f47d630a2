import { hash } from 'node:crypto';

import type { World } from '../world/index.ts';

declare const idOf: unique symbol;

/** An identifier of one kind of thing; a network's cannot be passed where a server's is wanted. */
export type Id<Kind extends string> = string & { readonly [idOf]: Kind };

const startsWithLetter = /^[a-f]/;
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A parser for the identifiers of one kind: lower-case UUIDs, the nil UUID included. */
export function idParser<Kind extends string>(): (text: string) => Id<Kind> | undefined {
  const isId = (text: string): text is Id<Kind> => uuidPattern.test(text);
  return (text) => (isId(text) ? text : undefined);
}

/** A UUIDv4 that begins with a letter, so that it may also name a Kubernetes object or a DNS label. */
export function randomId(world: World): string {
  for (;;) {
    const id = world.uuid();
    if (startsWithLetter.test(id)) return id;
  }
}

/**
 * The same identifier for the same inputs, wherever and however often it is made: what makes a retried create harmless.
 * While it begins with a digit, the raw bytes are hashed again, which cannot collide with any text.
 */
export function deterministicId(namespace: string, data: string): string {
  const key = `${namespace}/${data}`;
  const known = derived.get(key);
  if (known !== undefined) return known;
  if (derived.size >= remembered) derived.clear();
  const id = derive(namespace, data);
  derived.set(key, id);
  return id;
}

/**
 * While something is made, several ask what its id is. Enough for all that is made at a time, and some hundred
 * kilobytes.
 */
const remembered = 2_000;
const derived = new Map<string, string>();

function derive(namespace: string, data: string): string {
  const space = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  let hex = uuidV5(space, Buffer.from(data));
  while (!startsWithLetter.test(hex)) hex = uuidV5(space, Buffer.from(hex, 'hex'));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Whether an id may be one that follows from something, instead of being drawn. */
export function isDeterministic(id: string): boolean {
  return id.charAt(versionAt) === '5';
}

const versionAt = 14;
const variants = '89ab';

/**
 * As in RFC 9562, in hexadecimal and without hyphens. It is written here because hashing in one call takes a fraction
 * of the time of a library that hashes in steps; and asking for text takes a third of the time of asking for a buffer.
 */
function uuidV5(namespace: Buffer, data: Buffer): string {
  const digest = hash('sha1', Buffer.concat([namespace, data]), 'hex');
  const variant = variants.charAt(Number.parseInt(digest.charAt(16), 16) & 3);
  return `${digest.slice(0, 12)}5${digest.slice(13, 16)}${variant}${digest.slice(17, 32)}`;
}
