export { dialled, type Dialling } from './dialled.ts';
export { lineProtocol, tokenIn, type Frame } from './frames.ts';
export { guardedLine } from './guarded.ts';
export type { Line, OpenLine } from './line.ts';
export { Pieces } from './pieces.ts';
export { relay } from './relay.ts';
