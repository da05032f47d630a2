import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';
import { WireProjectScopedMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { Port } from '../kinds/common.ts';
import { BodyId, Ipv4Address, oneOf } from './common.ts';

const seconds = { minimum: 1, maximum: 300 };
const threshold = { minimum: 1, maximum: 10 };

const LoadBalancerHealthCheck = Type.Object(
  {
    intervalSeconds: Type.Optional(Type.Integer({ ...seconds, description: 'time between two checks; 10 by default' })),
    timeoutSeconds: Type.Optional(
      Type.Integer({ ...seconds, description: 'must be less than the interval; 5 by default' }),
    ),
    healthyThreshold: Type.Optional(
      Type.Integer({ ...threshold, description: 'number of consecutive successes; 2 by default' }),
    ),
    unhealthyThreshold: Type.Optional(
      Type.Integer({ ...threshold, description: 'number of consecutive failures; 2 by default' }),
    ),
  },
  { $id: 'loadBalancerHealthCheckV2' },
);

const LoadBalancerMember = Type.Object({ address: Ipv4Address, port: Port }, { $id: 'loadBalancerMemberV2' });

const LoadBalancerPool = Type.Object(
  {
    proxyProtocolV2: Type.Optional(Type.Boolean()),
    members: Type.Array(LoadBalancerMember, { maxItems: fieldLimits.poolMembers }),
    healthCheck: Type.Optional(LoadBalancerHealthCheck),
  },
  { $id: 'loadBalancerPoolV2' },
);

/** The pattern of the contract, which accepts octets with leading zeros. The handler checks the value. */
const cidrPattern =
  '^(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])\\/(?:3[0-2]|[1-2]?[0-9])$';

export const LoadBalancerListener = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$',
      maxLength: 63,
      description:
        'a name of lower case letters, digits and hyphens that begins with a letter and does not end with a hyphen',
      $id: 'loadBalancerListenerNameV2',
    }),
    protocol: oneOf(['tcp', 'udp'], 'loadBalancerListenerProtocolV2'),
    port: Port,
    allowedCidrs: Type.Optional(
      Type.Array(
        Type.String({
          pattern: cidrPattern,
          maxLength: fieldLimits.prefix,
          description: 'an IPv4 prefix such as 10.0.0.0/24',
        }),
        { maxItems: fieldLimits.allowedCidrs, description: 'prefixes that may connect; all if absent' },
      ),
    ),
    idleTimeoutSeconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 86_400, description: 'for tcp only; 60 by default' }),
    ),
    pool: LoadBalancerPool,
  },
  { $id: 'loadBalancerListenerV2' },
);

const wanted = {
  publicIP: Type.Optional(Type.Boolean()),
  listeners: Type.Array(LoadBalancerListener, { minItems: 1, maxItems: fieldLimits.listeners }),
};

const LoadBalancerSpec = Type.Object(wanted, { $id: 'loadBalancerV2Spec' });
const LoadBalancerCreateSpec = Type.Object(
  { ...wanted, networkId: BodyId, vipAddress: Type.Optional(Ipv4Address) },
  { $id: 'loadBalancerV2CreateSpec' },
);
const LoadBalancerStatus = Type.Object(
  {
    regionId: Type.String(),
    networkId: Type.String(),
    vipAddress: Type.Optional(Ipv4Address),
    publicIP: Type.Optional(Ipv4Address),
  },
  { $id: 'loadBalancerV2Status' },
);

export const LoadBalancerCreate = Type.Object(
  { metadata: WireWriteMetadata, spec: LoadBalancerCreateSpec },
  { $id: 'loadBalancerV2Create' },
);
export const LoadBalancerUpdate = Type.Object(
  { metadata: WireWriteMetadata, spec: LoadBalancerSpec },
  { $id: 'loadBalancerV2Update' },
);
export const LoadBalancerRead = Type.Object(
  { metadata: WireProjectScopedMetadata, spec: LoadBalancerSpec, status: LoadBalancerStatus },
  { $id: 'loadBalancerV2Read' },
);
export const LoadBalancersRead = Type.Array(LoadBalancerRead, { $id: 'loadBalancersV2Read' });
