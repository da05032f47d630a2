export { systemWorld } from './system.ts';
export { VirtualWorld } from './virtual.ts';
export { preciseTimestamp, timestamp, type Cancel, type World } from './world.ts';
