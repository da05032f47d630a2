import { defined } from '@unikorn/core/defined';

import type { SecurityRule } from '../../provider/index.ts';
import type { neutron } from './client/index.ts';

/** A rule of Neutron that is to be made, without its group. */
type NewRule = Omit<neutron.NewSecurityGroupRule, 'securityGroupId'>;

/** The fields that make two rules the same rule. */
type Fields = Pick<NewRule, 'direction' | 'ethertype' | 'protocol' | 'ports' | 'remotePrefix'>;

/**
 * Neutron gives these to every group by itself: everything may go out. They always belong to a group, so they are made
 * again where they were removed, and are never shown as rules of the group.
 */
export const defaultRules: readonly NewRule[] = [
  { direction: 'egress', ethertype: 'IPv4' },
  { direction: 'egress', ethertype: 'IPv6' },
];

export interface RuleDifference {
  readonly kept: readonly neutron.SecurityGroupRule[];
  readonly missing: readonly NewRule[];
  readonly surplus: readonly neutron.SecurityGroupRule[];
}

/** How the rules of a group become those that are wanted, and the default ones. */
export function differenceOf(
  current: readonly neutron.SecurityGroupRule[],
  wanted: readonly SecurityRule[],
): RuleDifference {
  const goal = new Map([...defaultRules, ...wanted.map(ruleToMake)].map((rule) => [keyOf(rule), rule]));
  const [kept, surplus]: [neutron.SecurityGroupRule[], neutron.SecurityGroupRule[]] = [[], []];
  for (const rule of current) {
    const fields = fieldsOf(rule);
    // Each is there once: a second rule with the same meaning is surplus.
    if (fields && goal.delete(keyOf(fields))) kept.push(rule);
    else surplus.push(rule);
  }
  return { kept, missing: [...goal.values()], surplus };
}

/** The rules of a group as users know them, always in the same order: Neutron has none. */
export function shownRules(rules: readonly neutron.SecurityGroupRule[]): readonly SecurityRule[] {
  const defaults = new Set(defaultRules.map(keyOf));
  return rules
    .flatMap((rule) => fieldsOf(rule) ?? [])
    .filter((fields) => !defaults.has(keyOf(fields)))
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    .flatMap((fields) => shownRule(fields) ?? []);
}

/** Networks have IPv4 only, so rules do. */
function ruleToMake({ direction, protocol, ports, cidr }: SecurityRule): NewRule {
  return {
    direction,
    ethertype: 'IPv4',
    description: 'made by Unikorn',
    ...defined({
      protocol: protocol === 'any' ? undefined : protocol,
      ports,
      remotePrefix: cidr === undefined || cidr === anywhere ? undefined : cidr,
    }),
  };
}

const anywhere = '0.0.0.0/0';

const protocols = new Map<string, SecurityRule['protocol']>([
  ['icmp', 'icmp'],
  ['1', 'icmp'],
  ['tcp', 'tcp'],
  ['6', 'tcp'],
  ['udp', 'udp'],
  ['17', 'udp'],
  ['vrrp', 'vrrp'],
  ['112', 'vrrp'],
]);

/** Undefined for a rule that we would never make, such as one that names another group. */
function fieldsOf(rule: neutron.SecurityGroupRule): Fields | undefined {
  const { direction, ethertype, protocol, port_range_min: start, port_range_max: end } = rule;
  if ((ethertype !== 'IPv4' && ethertype !== 'IPv6') || rule.remote_group_id) return undefined;
  const named = protocol === null ? undefined : protocols.get(protocol);
  if (protocol !== null && named === undefined) return undefined;
  const prefix = rule.remote_ip_prefix;
  return {
    direction,
    ethertype,
    ...defined({
      protocol: named,
      ports: start === null || end === null ? undefined : { start, end },
      remotePrefix: prefix === null || prefix === anywhere || prefix === '::/0' ? undefined : prefix,
    }),
  };
}

function shownRule({ direction, ethertype, protocol, ports, remotePrefix }: Fields): SecurityRule | undefined {
  if (ethertype !== 'IPv4') return undefined;
  const named = protocol === undefined ? 'any' : protocols.get(protocol);
  return named && { direction, protocol: named, ...defined({ ports, cidr: remotePrefix }) };
}

function keyOf({ direction, ethertype, protocol = 'any', ports, remotePrefix = '' }: Fields): string {
  return [direction, ethertype, protocol, ports?.start ?? '', ports?.end ?? '', remotePrefix].join(' ');
}
