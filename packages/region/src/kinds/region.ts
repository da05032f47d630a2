import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { fieldLimits } from '@unikorn/core/limits';

import { common, groupVersion, listOf } from './common.ts';
import { KubernetesRegion } from './region-kubernetes.ts';
import { OpenstackRegion } from './region-openstack.ts';
import { SimulatedRegion } from './region-simulated.ts';

/** A cloud in which resources can be created. Platform operators describe it. */
export const Region = defineKind({
  ...groupVersion,
  kind: 'Region',
  plural: 'regions',
  realisation: 'static',
  spec: Type.Object({
    ...common,
    /** If organizations are set, only they can use the region. Otherwise it is public. */
    security: Type.Optional(
      Type.Object({
        organizations: Type.Optional(listOf(Type.Object({ id: Type.String() }), fieldLimits.organizations)),
      }),
    ),
    provider: Type.Union([Type.Literal('openstack'), Type.Literal('kubernetes'), Type.Literal('simulated')]),
    openstack: Type.Optional(OpenstackRegion),
    kubernetes: Type.Optional(KubernetesRegion),
    simulated: Type.Optional(SimulatedRegion),
  }),
  status: {},
  immutable: ['/spec/provider'],
  admission: [
    {
      rule: '(self.spec.provider == "openstack") == has(self.spec.openstack)',
      message: 'openstack must be set for the provider openstack, and only for it',
    },
    {
      rule: '(self.spec.provider == "kubernetes") == has(self.spec.kubernetes)',
      message: 'kubernetes must be set for the provider kubernetes, and only for it',
    },
    {
      rule: '!has(self.spec.simulated) || self.spec.provider == "simulated"',
      message: 'simulated can be set for the provider simulated only',
    },
    {
      rule: '!has(self.spec.openstack) || !has(self.spec.openstack.network) || !has(self.spec.openstack.network.providerNetworks) || !has(self.spec.openstack.network.providerNetworks.vlan) || self.spec.openstack.network.providerNetworks.vlan.segments.all(segment, segment.startId <= segment.endId)',
      message: 'a vlan segment must not start after its end',
    },
  ],
});

export type Region = Resource<typeof Region>;
