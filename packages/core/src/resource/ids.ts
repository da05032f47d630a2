import { hash } from 'node:crypto';

import { internalLimits } from '../limits.ts';
import type { World } from '../world/index.ts';

declare const idOf: unique symbol;

/** An identifier of one kind of objects: the id of a network cannot be passed as the id of a server. */
export type Id<Kind extends string> = string & { readonly [idOf]: Kind };

const startsWithLetter = /^[a-f]/;
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * A parser for the identifiers of one kind: lower-case UUIDs, the nil UUID included.
 *
 * @example const organizationId = idParser<'organization'>(); const id = organizationId(text); // undefined unless it is an id
 */
export function idParser<Kind extends string>(): (text: string) => Id<Kind> | undefined {
  const isId = (text: string): text is Id<Kind> => uuidPattern.test(text);
  return (text) => (isId(text) ? text : undefined);
}

/**
 * A UUIDv4 that begins with a letter, so that it is also a valid name of a Kubernetes object and a DNS label.
 *
 * @example const id = randomId(world);
 */
export function randomId(world: World): string {
  for (;;) {
    const id = world.uuid();
    if (startsWithLetter.test(id)) return id;
  }
}

/**
 * Derives an identifier that is always the same for the same inputs, which makes it safe to retry a create. If it
 * begins with a digit, the raw bytes are hashed again; their hash cannot collide with that of any text.
 *
 * @example const id = deterministicId(networkId, name); // the same id after a retry
 */
export function deterministicId(namespace: string, data: string): string {
  const key = `${namespace}/${data}`;
  const known = derived.get(key);
  if (known !== undefined) return known;
  if (derived.size >= internalLimits.rememberedIds) derived.clear();
  const id = derive(namespace, data);
  derived.set(key, id);
  return id;
}

const derived = new Map<string, string>();

function derive(namespace: string, data: string): string {
  const space = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  let hex = uuidV5(space, Buffer.from(data));
  while (!startsWithLetter.test(hex)) hex = uuidV5(space, Buffer.from(hex, 'hex'));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Whether an id may be a deterministic one and not a random one. */
export function isDeterministic(id: string): boolean {
  return id.charAt(versionAt) === '5';
}

const versionAt = 14;
const variants = '89ab';

/**
 * As in RFC 9562, in hexadecimal and without hyphens. It is implemented here because one call of the hash function is
 * several times faster than a library that hashes in steps, and text output is three times faster than a buffer.
 */
function uuidV5(namespace: Buffer, data: Buffer): string {
  const digest = hash('sha1', Buffer.concat([namespace, data]), 'hex');
  const variant = variants.charAt(Number.parseInt(digest.charAt(16), 16) & 3);
  return `${digest.slice(0, 12)}5${digest.slice(13, 16)}${variant}${digest.slice(17, 32)}`;
}
