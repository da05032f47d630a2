import type { NodeState, NodeStatus } from './node.ts';

/** A state that needs a remedy. What failed and is not retried needs another one than what failed and is retried. */
export type Trouble = Exclude<NodeState, 'ready'> | 'given up';

/** The remedies of some kinds of nodes, where the usual ones do not say enough. */
export type Remedies<Kind extends string> = Readonly<Partial<Record<Kind, Readonly<Partial<Record<Trouble, string>>>>>>;

/** The remedy of every state, where a kind has no other. */
export const usualRemedies: Readonly<Record<Trouble, string>> = {
  progressing: 'nothing needs to be done: it continues automatically',
  waiting: 'the things it waits for become ready: it continues automatically then',
  retrying: 'the problem in its message ends: it is retried automatically',
  degraded: 'correct the problem in its message',
  failed: 'correct the problem in its message: it is retried automatically',
  'given up': 'an operator corrects the problem in its message: it is not retried before that',
  missing: 'it is created again',
  deleting: 'nothing uses it any more: it is removed automatically then',
  paused: 'the platform operator must resume it',
  holding: 'it is deleted',
};

/** How to get out of a state. Something that is ready needs no remedy. */
export function remedyFor<Kind extends string>(
  remedies: Remedies<Kind>,
  kind: Kind,
  { state, nextRetry }: Pick<NodeStatus, 'state' | 'nextRetry'>,
): { readonly unblockedBy?: string } {
  if (state === 'ready') return {};
  const trouble = state === 'failed' && nextRetry === undefined ? 'given up' : state;
  return { unblockedBy: remedies[kind]?.[trouble] ?? usualRemedies[trouble] };
}
