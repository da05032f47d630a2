import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { fieldLimits } from '@unikorn/core/limits';
import { labels } from '@unikorn/core/resource';

import { Cidr, common, groupVersion, labelPointer, listOf, Port } from './common.ts';

const SecurityRule = Type.Object({
  direction: Type.Union([Type.Literal('ingress'), Type.Literal('egress')]),
  protocol: Type.Union([
    Type.Literal('any'),
    Type.Literal('icmp'),
    Type.Literal('tcp'),
    Type.Literal('udp'),
    Type.Literal('vrrp'),
  ]),
  /** If absent, all ports. */
  port: Type.Optional(
    Type.Object({ number: Type.Optional(Port), range: Type.Optional(Type.Object({ start: Port, end: Port })) }),
  ),
  /** If absent, any address. */
  cidr: Type.Optional(Cidr),
});

/** Rules for the traffic to and from the servers of a network. */
export const SecurityGroup = defineKind({
  ...groupVersion,
  kind: 'SecurityGroup',
  plural: 'securitygroups',
  spec: Type.Object({ ...common, rules: listOf(SecurityRule, fieldLimits.securityRules) }),
  status: {},
  indexedLabels: [labels.network, labels.identity, labels.project, labels.organization, labels.region],
  immutable: [labels.network, labels.identity, labels.region, labels.organization, labels.project].map(labelPointer),
  admission: [
    {
      rule: 'self.spec.rules.all(rule, !has(rule.port) || rule.protocol == "tcp" || rule.protocol == "udp")',
      message: 'only a rule for tcp or udp can name ports',
    },
    {
      rule: 'self.spec.rules.all(rule, !has(rule.port) || has(rule.port.number) != has(rule.port.range))',
      message: 'the port of a rule must be either one number or a range',
    },
    {
      rule: 'self.spec.rules.all(rule, !has(rule.port) || !has(rule.port.range) || rule.port.range.start < rule.port.range.end)',
      message: 'a range of ports must start before its end',
    },
  ],
});

export type SecurityGroup = Resource<typeof SecurityGroup>;
