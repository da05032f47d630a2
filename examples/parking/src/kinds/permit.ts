import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

export const lotLabel = 'parking.example.unikorn-cloud.org/lot-id';

/** Allows a car to park in a lot. Its controller registers the car at the lot's gate. */
export const Permit = defineKind({
  group: 'parking.example.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Permit',
  plural: 'permits',
  spec: Type.Object({
    lotId: Type.String(),
    plate: Type.String(),
    space: Type.Integer({ minimum: 1 }),
    pause: Type.Optional(Type.Boolean()),
  }),
  status: { admittedAt: Type.Optional(Type.String()) },
  indexedLabels: [lotLabel, labels.organization],
  immutable: ['/spec/lotId', '/spec/plate', '/spec/space'],
  admission: [
    {
      rule: "self.spec.plate.matches('^[A-Z0-9-]{2,10}$')",
      message: 'a plate has 2 to 10 capital letters, digits and hyphens',
    },
  ],
});

export type Permit = Resource<typeof Permit>;
