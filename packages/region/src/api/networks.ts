import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';
import { WireProjectScopedMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { BodyId, Ipv4Address, namedList } from './common.ts';

const Route = Type.Object(
  { prefix: Type.String({ maxLength: fieldLimits.prefix }), nexthop: Type.String({ maxLength: fieldLimits.prefix }) },
  { $id: 'route' },
);

const PrefixLength = Type.Integer({ minimum: 0, maximum: 30 });

const NetworkReservations = Type.Object(
  { prefixLength: PrefixLength, providerReservedPrefixLength: Type.Optional(PrefixLength) },
  {
    $id: 'networkReservations',
    description: 'the reserved part of the prefix, as prefix lengths: in total, and the part of it for the provider',
  },
);

const changeable = {
  dnsNameservers: namedList(Ipv4Address, fieldLimits.nameservers, 'ipv4AddressList'),
  routes: Type.Optional(namedList(Route, fieldLimits.routes, 'routes')),
};

const NetworkSpec = Type.Object(changeable, { $id: 'networkV2Spec' });

const NetworkCreateSpec = Type.Object(
  {
    ...changeable,
    organizationId: BodyId,
    projectId: BodyId,
    regionId: BodyId,
    prefix: Type.String({ maxLength: fieldLimits.prefix, description: 'IPv4, /24 or shorter, such as 10.0.0.0/24' }),
    reservations: Type.Optional(NetworkReservations),
  },
  { $id: 'networkV2CreateSpec' },
);

const NetworkStatus = Type.Object(
  { regionId: Type.String(), prefix: Type.String(), reservations: NetworkReservations },
  { $id: 'networkV2Status' },
);

export const NetworkCreate = Type.Object(
  { metadata: WireWriteMetadata, spec: NetworkCreateSpec },
  { $id: 'networkV2Create' },
);
export const NetworkUpdate = Type.Object(
  { metadata: WireWriteMetadata, spec: NetworkSpec },
  { $id: 'networkV2Update' },
);
export const NetworkRead = Type.Object(
  { metadata: WireProjectScopedMetadata, spec: NetworkSpec, status: NetworkStatus },
  { $id: 'networkV2Read' },
);
export const Networks = Type.Array(NetworkRead, { $id: 'networksV2Read' });
