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
  const space = bytesOf(namespace);
  let id = uuidV5(space, Buffer.from(data));
  while (!startsWithLetter.test(id)) id = uuidV5(space, bytesOf(id));
  return id;
}

/** As RFC 9562 has it. Written here because hashing in one go takes a fraction of the time that a library's running hash does. */
function uuidV5(namespace: Uint8Array, data: Uint8Array): string {
  const hex = hash('sha1', Buffer.concat([namespace, data]), 'hex');
  const variant = ((parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function bytesOf(uuid: string): Uint8Array {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}
