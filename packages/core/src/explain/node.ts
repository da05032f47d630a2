/**
 * `progressing`: work continues. `waiting`: it waits for another object. `retrying`: the last attempt failed, and the
 * next one is scheduled. `failed`: it needs help, or it will take long. `holding`: it exists, and an object that is
 * being deleted must wait for it.
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

/** The state of a node, and its reason. */
export interface NodeStatus {
  readonly state: NodeState;
  readonly reason: string;
  readonly message: string;
  /** Absent for objects that do not exist or are paused. */
  readonly since?: string;
  /** Number of failed attempts, if the last attempt failed. */
  readonly attempts?: number;
  /** When it is retried automatically. Absent if it is not retried. */
  readonly nextRetry?: string;
}

/** Identifies a node. Nodes of different kinds can have the same id: an instance and its machine, for example. */
export interface NodeReference<Kind extends string = string> {
  readonly kind: Kind;
  readonly id: string;
}

/** The explained resource, or an object that it needs. */
export interface ExplanationNode<Kind extends string = string> extends NodeReference<Kind>, NodeStatus {
  readonly name?: string;
  /** How to resolve this state. Every node that is not ready has it. */
  readonly unblockedBy?: string;
  /** The nodes that this one needs or waits for. */
  readonly dependsOn: readonly NodeReference<Kind>[];
}

/** A node before its edges are known, which follow from the graph of its resource. */
export type NodeDraft<Kind extends string = string> = Omit<ExplanationNode<Kind>, 'dependsOn'>;
