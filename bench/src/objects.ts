import { Type } from 'typebox';

import { defineKind, type Draft } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

/** The object of the suites: 2 KB with three indexed labels, about the size of an instance. */
export const Thing = defineKind({
  group: 'bench.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Thing',
  plural: 'things',
  spec: Type.Object({ padding: Type.String(), size: Type.Integer() }),
  status: { address: Type.Optional(Type.String()) },
  indexedLabels: [labels.network, labels.project, labels.organization],
});

const objectBytes = 2048;
const padding = 'x'.repeat(objectBytes - 600);

/** 50 objects share a network, 1,000 share a project, and all share an organization. */
export function thing(number: number): Draft<typeof Thing> {
  return {
    metadata: {
      name: `thing-${String(number).padStart(8, '0')}`,
      labels: {
        [labels.name]: `thing-${number}`,
        [labels.organization]: 'e2a7c6b0-0000-4000-8000-000000000000',
        [labels.project]: `b2a7c6b0-0000-4000-8000-${String(Math.floor(number / 1000)).padStart(12, '0')}`,
        [labels.network]: network(Math.floor(number / 50)),
      },
    },
    spec: { padding, size: number },
  };
}

export function network(number: number): string {
  return `a2a7c6b0-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
