import { createHash } from 'node:crypto';

import { Type, type Static } from 'typebox';
import { Check } from 'typebox/value';

import { defined } from '../defined.ts';
import { Problem } from '../errors/index.ts';
import type { Kind } from '../kinds/index.ts';
import type { Selector } from './selector.ts';

const Position = Type.Object(
  {
    version: Type.String({ pattern: '^[0-9]{1,15}$' }),
    after: Type.String(),
    next: Type.Optional(Type.String()),
    query: Type.String(),
  },
  { additionalProperties: false },
);

/**
 * Where a traversal continues: after this name, at the version of its first page. `next` is the same place in the own
 * notation of an engine, if it has one.
 */
export type Position = Readonly<Omit<Static<typeof Position>, 'query'>>;

export function continueToken(kind: Kind, selector: Selector, position: Position): string {
  return Buffer.from(JSON.stringify({ ...position, query: fingerprint(kind, selector) })).toString('base64url');
}

export function parseContinueToken(kind: Kind, selector: Selector, token: string): Position {
  const position = decoded(token);
  if (!Check(Position, position))
    throw new Problem(
      'invalid_request',
      'the continue token is not valid: use the token of the previous page, or none',
    );
  if (position.query !== fingerprint(kind, selector))
    throw new Problem('invalid_request', 'the continue token belongs to another query: repeat that query');
  const { version, after, next } = position;
  return { version, after, ...defined({ next }) };
}

function decoded(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function fingerprint(kind: Kind, selector: Selector): string {
  return createHash('sha256')
    .update(JSON.stringify([kind.id, selector]))
    .digest('base64url')
    .slice(0, 16);
}
