import { Type } from 'typebox';

import { nodeKinds, nodeStates } from '../explain/index.ts';

const Node = Type.Object(
  {
    kind: Type.Unsafe<(typeof nodeKinds)[number]>({ type: 'string', enum: [...nodeKinds] }),
    id: Type.String(),
    name: Type.Optional(Type.String()),
    state: Type.Unsafe<(typeof nodeStates)[number]>({ type: 'string', enum: [...nodeStates] }),
    reason: Type.String(),
    message: Type.String(),
    since: Type.Optional(Type.String()),
    attempts: Type.Optional(Type.Integer({ description: 'how often it was tried in vain; of what failed last time' })),
    nextRetry: Type.Optional(
      Type.String({
        description:
          'when it is tried again by itself; absent where only what unblockedBy says helps, and where nothing failed',
      }),
    ),
    unblockedBy: Type.Optional(Type.String({ description: 'what would help; of everything that is not ready' })),
  },
  { $id: 'instanceExplanationNode' },
);

export const ExplanationRead = Type.Object(
  {
    ready: Type.Boolean(),
    summary: Type.String(),
    nodes: Type.Array(Node, { description: 'what stands in the way first, the deepest of it before what it holds up' }),
  },
  { $id: 'instanceExplanationRead' },
);
