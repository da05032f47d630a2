import type { DeepReadonly } from '@unikorn/core/kinds';
import { Type, type Static } from 'typebox';

import type { Provision, ResourceReference } from './provision.ts';

const HealthCheck = Type.Object({
  intervalSeconds: Type.Integer(),
  timeoutSeconds: Type.Integer(),
  healthyThreshold: Type.Integer(),
  unhealthyThreshold: Type.Integer(),
});

const Listener = Type.Object({
  name: Type.String(),
  protocol: Type.Union([Type.Literal('tcp'), Type.Literal('udp')]),
  port: Type.Integer(),
  /** If empty, all addresses may connect. */
  allowedCIDRs: Type.Array(Type.String()),
  idleTimeoutSeconds: Type.Optional(Type.Integer()),
  pool: Type.Object({
    proxyProtocolV2: Type.Boolean(),
    members: Type.Array(Type.Object({ address: Type.String(), port: Type.Integer() })),
    healthCheck: Type.Optional(HealthCheck),
  }),
});

export const WantedLoadBalancer = Type.Object({
  id: Type.String(),
  networkId: Type.String(),
  /** Fixed at creation. */
  requestedVIPAddress: Type.Optional(Type.String()),
  publicIP: Type.Union([Type.Literal('wanted'), Type.Literal('unwanted')]),
  listeners: Type.Array(Listener),
});
export type WantedLoadBalancer = DeepReadonly<Static<typeof WantedLoadBalancer>>;

export interface ObservedMember {
  readonly listener: string;
  readonly address: string;
  readonly port: number;
  /** `unmonitored` where the pool has no health check. */
  readonly health: 'online' | 'offline' | 'unmonitored';
}

export interface ObservedLoadBalancer {
  readonly providerId: string;
  readonly vipAddress: string;
  readonly publicIP?: string;
  readonly members: readonly ObservedMember[];
}

export type LoadBalancers = Provision<ResourceReference, WantedLoadBalancer, ObservedLoadBalancer>;
