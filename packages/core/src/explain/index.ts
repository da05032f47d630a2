export { explanationOf, type Explained, type Explanation, type Graph } from './explanation.ts';
export { heldBy, holderNodes, mostHolders, type HolderNode } from './holders.ts';
export {
  nodeStates,
  type ExplanationNode,
  type NodeDraft,
  type NodeReference,
  type NodeState,
  type NodeStatus,
} from './node.ts';
export { remedyFor, usualRemedies, type Remedies, type Trouble } from './remedies.ts';
export { explanationSchema } from './schema.ts';
export {
  concealed,
  missingStatus,
  nodeStatusOf,
  storedNode,
  unnamed,
  type StoredNode,
  type StoredObject,
} from './stored.ts';
