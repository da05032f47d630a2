import { defined } from '../defined.ts';
import { internalLimits } from '../limits.ts';
import { shownUsers } from '../references/index.ts';
import type { NodeDraft, NodeStatus } from './node.ts';
import { remedyFor, type Remedies } from './remedies.ts';

/** An object that blocks the removal of another object. */
export interface HolderNode {
  /** `<plural>.<group>/<id>` */
  readonly reference: string;
  /** Its kind and name in words, such as `instance web-1`. */
  readonly name?: string | undefined;
}

export const { holders: mostHolders } = internalLimits;

/**
 * One node for each of the first holders. The others are only counted, in the message of the object that they hold.
 *
 * @example nodes: [...holderNodes(holders, remedies), heldBy(self, holders)]
 */
export function holderNodes(
  holders: readonly HolderNode[],
  remedies: Remedies<'holder'>,
): readonly NodeDraft<'holder'>[] {
  const status: NodeStatus = { state: 'holding', reason: 'InUse', message: 'it must be deleted first' };
  return holders.slice(0, shownUsers).map(({ reference, name }) => ({
    kind: 'holder',
    id: reference,
    ...defined({ name }),
    ...status,
    ...remedyFor(remedies, 'holder', status),
  }));
}

/**
 * Adds to the message of an object that is being deleted which holders it waits for.
 *
 * @example nodes: [...holderNodes(holders, remedies), heldBy(self, holders)]
 */
export function heldBy<Node extends NodeDraft>(node: Node, holders: readonly HolderNode[]): Node {
  if (node.state !== 'deleting' || holders.length === 0) return node;
  return { ...node, message: `it is being deleted, and waits for ${wordsOf(holders)}` };
}

function wordsOf(holders: readonly HolderNode[]): string {
  const shown = holders.slice(0, shownUsers).map(({ reference, name }) => name ?? reference);
  const more = holders.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${holders.length >= mostHolders ? 'at least ' : ''}${more} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.slice(-1).join('')}`;
}
