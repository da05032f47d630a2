import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';

import { listOf } from './common.ts';

/** What a simulated region is like where it is not like all others. */
export const SimulatedRegion = Type.Object({
  /** The flavors it offers of those there are; all of them unless it says. */
  flavorIDs: Type.Optional(listOf(Type.String({ minLength: 1, maxLength: 64 }), fieldLimits.flavors)),
});
