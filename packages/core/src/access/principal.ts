import { Type, type Static } from 'typebox';
import { Ajv } from 'ajv';

import { defined } from '../defined.ts';
import { Problem } from '../errors/index.ts';
import type { DeepReadonly } from '../kinds/index.ts';
import { internalLimits, limits } from '../limits.ts';

const Text = Type.String({ maxLength: limits.nameLength });

/** The user or account that a call is made for: it is stored as the creator, and it is charged. */
export const Principal = Type.Object({
  organizationId: Type.Optional(Text),
  organizationIds: Type.Optional(Type.Array(Text)),
  projectId: Type.Optional(Text),
  type: Type.Optional(Text),
  actor: Type.Optional(Text),
});
export type Principal = DeepReadonly<Static<typeof Principal>>;

const isPrincipal = new Ajv({ strict: false }).compile<Static<typeof Principal>>(Principal);

/** The value of `X-Principal`: base64url of JSON. */
export function encodePrincipal(principal: Principal): string {
  return Buffer.from(JSON.stringify(principal)).toString('base64url');
}

export function parsePrincipal(header: string): Principal {
  if (header.length > internalLimits.principalBytes || !/^[A-Za-z0-9_-]+={0,2}$/.test(header)) {
    throw new Problem(
      'invalid_request',
      `header X-Principal: must be base64url of a JSON object and at most ${internalLimits.principalBytes} characters`,
    );
  }
  const parsed = parseJson(Buffer.from(header, 'base64url').toString());
  if (!isPrincipal(parsed))
    throw new Problem('invalid_request', 'header X-Principal: must hold a JSON object with the fields of a principal');
  const { organizationId, organizationIds, projectId, type, actor } = parsed;
  return {
    ...defined({ organizationId, organizationIds, projectId, type, actor }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Problem('invalid_request', 'header X-Principal: does not hold JSON', { cause });
  }
}
