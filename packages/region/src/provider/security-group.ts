import type { DeepReadonly } from '@unikorn/core/kinds';
import { Type, type Static } from 'typebox';

import type { Provision, ResourceReference } from './provision.ts';

export const SecurityRule = Type.Object({
  direction: Type.Union([Type.Literal('ingress'), Type.Literal('egress')]),
  protocol: Type.Union([
    Type.Literal('any'),
    Type.Literal('icmp'),
    Type.Literal('tcp'),
    Type.Literal('udp'),
    Type.Literal('vrrp'),
  ]),
  /** If absent, all ports. */
  ports: Type.Optional(Type.Object({ start: Type.Integer(), end: Type.Integer() })),
  /** If absent, any address. */
  cidr: Type.Optional(Type.String()),
});
export type SecurityRule = DeepReadonly<Static<typeof SecurityRule>>;

export const WantedSecurityGroup = Type.Object({ id: Type.String(), rules: Type.Array(SecurityRule) });
export type WantedSecurityGroup = DeepReadonly<Static<typeof WantedSecurityGroup>>;

export interface ObservedSecurityGroup {
  readonly providerId: string;
  /** The rules at the provider, without those that it adds itself. */
  readonly rules: readonly SecurityRule[];
}

export type SecurityGroups = Provision<ResourceReference, WantedSecurityGroup, ObservedSecurityGroup>;
