/**
 * `progressing`: work continues. `waiting`: for something else. `retrying`: the last attempt failed, and the next one
 * is planned. `failed`: it needs help, or it will take long. `holding`: it exists, and something that is being deleted
 * must wait for it.
 */
export const nodeStates = [
  'ready',
  'progressing',
  'waiting',
  'retrying',
  'degraded',
  'failed',
  'missing',
  'deleting',
  'paused',
  'holding',
] as const;
export type NodeState = (typeof nodeStates)[number];

/** How something is, and why. */
export interface NodeStatus {
  readonly state: NodeState;
  readonly reason: string;
  readonly message: string;
  /** Not known of something that does not exist or is paused. */
  readonly since?: string;
  /** How many attempts failed, when the last one did. */
  readonly attempts?: number;
  /** When it is tried again automatically. Absent when it is not. */
  readonly nextRetry?: string;
}

/** Names a node. Nodes of different kinds can have the same id: an instance and its machine, for example. */
export interface NodeReference<Kind extends string = string> {
  readonly kind: Kind;
  readonly id: string;
}

/** The explained resource, or something that it needs. */
export interface ExplanationNode<Kind extends string = string> extends NodeReference<Kind>, NodeStatus {
  readonly name?: string;
  /** How to get out of this state. Everything that is not ready has it. */
  readonly unblockedBy?: string;
  /** The nodes that this one needs or waits for. */
  readonly dependsOn: readonly NodeReference<Kind>[];
}

/** A node before its edges are known, which follow from the graph of its resource. */
export type NodeDraft<Kind extends string = string> = Omit<ExplanationNode<Kind>, 'dependsOn'>;
