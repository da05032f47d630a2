export { explain, type Explanation, type Need, type View } from './explain.ts';
export { nodeKinds, nodeStates, type ExplainedNode } from './node.ts';
export { viewOf } from './view.ts';
