import { defined } from '../defined.ts';
import { systemWorld, VirtualWorld } from '../world/index.ts';

/**
 * A world whose time a test advances.
 *
 * @example const world = virtualWorld(1); await world.advance(60_000);
 */
export function virtualWorld(seed?: number): VirtualWorld {
  return new VirtualWorld({ ...defined({ seed }), turn: () => systemWorld.turn() });
}
