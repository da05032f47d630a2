import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { fieldLimits } from '@unikorn/core/limits';
import { labels } from '@unikorn/core/resource';

import { Cidr, common, groupVersion, Ipv4, labelPointer, listOf, Port, SmallName } from './common.ts';
import { listenerRules } from './load-balancer-rules.ts';

const Seconds = Type.Integer({ minimum: 1, maximum: 300 });
const Threshold = Type.Integer({ minimum: 1, maximum: 10 });

const HealthCheck = Type.Object({
  intervalSeconds: Seconds,
  timeoutSeconds: Seconds,
  healthyThreshold: Threshold,
  unhealthyThreshold: Threshold,
});

const Pool = Type.Object({
  proxyProtocolV2: Type.Boolean(),
  /** An empty list is allowed, so that a load balancer keeps its address when it is scaled to zero. */
  members: listOf(Type.Object({ address: Ipv4, port: Port }), fieldLimits.poolMembers),
  healthCheck: Type.Optional(HealthCheck),
});

const Listener = Type.Object({
  name: Type.String({ ...SmallName, maxLength: 63 }),
  protocol: Type.Union([Type.Literal('tcp'), Type.Literal('udp')]),
  port: Port,
  /** If absent, all addresses may connect. */
  allowedCIDRs: Type.Optional(listOf(Cidr, fieldLimits.allowedCidrs)),
  idleTimeoutSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  pool: Pool,
});

/** Distributes TCP or UDP connections over servers of a network. */
export const LoadBalancer = defineKind({
  ...groupVersion,
  kind: 'LoadBalancer',
  plural: 'loadbalancers',
  spec: Type.Object({
    ...common,
    requestedVIPAddress: Type.Optional(Ipv4),
    publicIP: Type.Boolean(),
    listeners: Type.Array(Listener, { minItems: 1, maxItems: fieldLimits.listeners }),
  }),
  status: { vipAddress: Type.Optional(Ipv4), publicIP: Type.Optional(Ipv4) },
  indexedLabels: [labels.network, labels.identity, labels.project, labels.organization, labels.region],
  immutable: [
    '/spec/requestedVIPAddress',
    ...[labels.network, labels.identity, labels.region, labels.organization, labels.project].map(labelPointer),
  ],
  admission: listenerRules,
});

export type LoadBalancer = Resource<typeof LoadBalancer>;
