import { v5 } from 'uuid';

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
  let id = v5(data, namespace);
  while (!startsWithLetter.test(id)) id = v5(bytesOf(id), namespace);
  return id;
}

function bytesOf(uuid: string): Uint8Array {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}
