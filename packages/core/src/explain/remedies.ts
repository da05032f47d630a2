import type { NodeState, NodeStatus } from './node.ts';

/** A state that needs a remedy. A failure that is not retried needs another remedy than a failure that is retried. */
export type Trouble = Exclude<NodeState, 'ready'> | 'given up';

/** Special remedies for some kinds of nodes. */
export type Remedies<Kind extends string> = Readonly<Partial<Record<Kind, Readonly<Partial<Record<Trouble, string>>>>>>;

/** The remedy of every state, for kinds without a special one. */
export const usualRemedies: Readonly<Record<Trouble, string>> = {
  progressing: 'nothing needs to be done: it continues automatically',
  waiting: 'wait until the resources that it depends on are ready: it continues automatically then',
  retrying: 'wait until the problem in its message ends: it is retried automatically',
  degraded: 'correct the problem in its message',
  failed: 'correct the problem in its message: it is retried automatically',
  'given up': 'an operator must correct the problem in its message: it is not retried before that',
  missing: 'create it again',
  deleting: 'remove everything that uses it: it is deleted automatically then',
  paused: 'the platform operator must resume it',
  holding: 'delete it',
};

/**
 * The remedy of a state. A node that is ready needs none.
 *
 * @example { kind: 'image', id, ...status, ...remedyFor(remedies, 'image', status) }
 */
export function remedyFor<Kind extends string>(
  remedies: Remedies<Kind>,
  kind: Kind,
  { state, nextRetry }: Pick<NodeStatus, 'state' | 'nextRetry'>,
): { readonly unblockedBy?: string } {
  if (state === 'ready') return {};
  const trouble = state === 'failed' && nextRetry === undefined ? 'given up' : state;
  return { unblockedBy: remedies[kind]?.[trouble] ?? usualRemedies[trouble] };
}
