export { explain, type Need, type View } from './explain.ts';
export { gather, type GatherDeps } from './gather.ts';
export type { Machine } from './machine.ts';
export { nodeKinds, type NodeKind } from './node-kinds.ts';
