import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

/** A taken space. `saga` is the run that took it, so that only that run releases it. */
const Occupant = Type.Object({ permitId: Type.String(), space: Type.Integer({ minimum: 1 }), saga: Type.String() });

/** A car park. It is complete once it is stored, so it has no controller. */
export const Lot = defineKind({
  group: 'parking.example.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Lot',
  plural: 'lots',
  realisation: 'static',
  spec: Type.Object({ spaces: Type.Integer({ minimum: 1, maximum: 500 }) }),
  status: { occupants: Type.Optional(Type.Array(Occupant)) },
  indexedLabels: [labels.organization],
});

export type Lot = Resource<typeof Lot>;
