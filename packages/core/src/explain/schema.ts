import { Type } from 'typebox';

import { nodeStates } from './node.ts';

/**
 * An explanation on the wire. `name` begins the names of its schemas: `explanation` for `explanationRead`, for example.
 *
 * @example const ExplanationRead = explanationSchema('explanation', ['organization', 'project', 'holder']);
 */
export function explanationSchema<const Kind extends string>(name: string, kinds: readonly Kind[]) {
  const kind = Type.Unsafe<Kind>({ type: 'string', enum: [...kinds] });
  const Reference = Type.Object({ kind, id: Type.String() }, { $id: `${name}Reference` });
  const Node = Type.Object(
    {
      kind,
      id: Type.String(),
      name: Type.Optional(Type.String()),
      state: Type.Unsafe<(typeof nodeStates)[number]>({ type: 'string', enum: [...nodeStates] }),
      reason: Type.String(),
      message: Type.String(),
      since: Type.Optional(Type.String()),
      attempts: Type.Optional(Type.Integer({ description: 'number of failed attempts, if the last attempt failed' })),
      nextRetry: Type.Optional(
        Type.String({ description: 'when it is retried automatically; absent if it is not retried' }),
      ),
      unblockedBy: Type.Optional(
        Type.String({ description: 'how to resolve this state; every node that is not ready has it' }),
      ),
      dependsOn: Type.Array(Reference, { description: 'the nodes that this one needs or waits for' }),
    },
    { $id: `${name}Node` },
  );
  return Type.Object(
    {
      ready: Type.Boolean(),
      summary: Type.String(),
      nodes: Type.Array(Node, {
        description: 'first the nodes with problems, causes before effects; then the nodes that are ready',
      }),
    },
    { $id: `${name}Read` },
  );
}
