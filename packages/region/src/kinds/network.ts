import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { fieldLimits } from '@unikorn/core/limits';
import { labels } from '@unikorn/core/resource';

import { AddressRange, Cidr, common, groupVersion, Ipv4, labelPointer, listOf, VlanId } from './common.ts';

const PrefixLength = Type.Integer({ minimum: 0, maximum: 30 });

/** An IPv4 network of a project, and the owner of everything in it. */
export const Network = defineKind({
  ...groupVersion,
  kind: 'Network',
  plural: 'networks',
  spec: Type.Object({
    ...common,
    prefix: Cidr,
    /** The requested reservations; defaults are applied when they are read. */
    reservations: Type.Optional(
      Type.Object({ prefixLength: PrefixLength, providerReservedPrefixLength: Type.Optional(PrefixLength) }),
    ),
    /** If empty, the platform's own nameservers are used. */
    dnsNameservers: listOf(Ipv4, fieldLimits.nameservers),
    routes: Type.Optional(listOf(Type.Object({ prefix: Cidr, nextHop: Ipv4 }), fieldLimits.routes)),
  }),
  status: {
    /** The values that the provider assigned; load balancers and file storage need them. */
    provider: Type.Optional(
      Type.Object({
        networkId: Type.String(),
        subnetId: Type.String(),
        gatewayIP: Ipv4,
        vlanId: Type.Optional(VlanId),
        storageRange: Type.Optional(AddressRange),
      }),
    ),
  },
  indexedLabels: [labels.identity, labels.project, labels.organization, labels.region],
  immutable: [
    '/spec/prefix',
    '/spec/reservations',
    ...[labels.identity, labels.region, labels.organization, labels.project].map(labelPointer),
  ],
  admission: [
    { rule: 'int(self.spec.prefix.split("/")[1]) <= 24', message: 'a network must not be smaller than /24' },
    {
      rule: '!has(self.spec.reservations) || self.spec.reservations.prefixLength > int(self.spec.prefix.split("/")[1])',
      message: 'the reserved prefix must be smaller than the network',
    },
    {
      rule: '!has(self.spec.reservations) || !has(self.spec.reservations.providerReservedPrefixLength) || self.spec.reservations.providerReservedPrefixLength >= self.spec.reservations.prefixLength',
      message: 'the prefix reserved for the provider must be within the reserved prefix',
    },
  ],
});

export type Network = Resource<typeof Network>;
