import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';

import { listOf } from './common.ts';

/** The settings of a simulated region that differ from the defaults. */
export const SimulatedRegion = Type.Object({
  /** The flavors that it offers; all of them by default. */
  flavorIDs: Type.Optional(listOf(Type.String({ minLength: 1, maxLength: 64 }), fieldLimits.flavors)),
});
