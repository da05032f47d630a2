import { expect, it } from 'vitest';

import type { SecurityRule } from '../../provider/index.ts';
import type { neutron } from './client/index.ts';
import { differenceOf, shownRules } from './security-rules.ts';

const ssh: SecurityRule = { direction: 'ingress', protocol: 'tcp', ports: { start: 22, end: 22 } };

function rule(id: string, fields: Partial<neutron.SecurityGroupRule>): neutron.SecurityGroupRule {
  return {
    id,
    security_group_id: 'group',
    direction: 'ingress',
    ethertype: 'IPv4',
    protocol: null,
    port_range_min: null,
    port_range_max: null,
    remote_ip_prefix: null,
    ...fields,
  };
}

const defaults = [
  rule('out4', { direction: 'egress', ethertype: 'IPv4' }),
  rule('out6', { direction: 'egress', ethertype: 'IPv6' }),
];
const sshRule = rule('ssh', { protocol: 'tcp', port_range_min: 22, port_range_max: 22 });

const ids = (rules: readonly { readonly id: string }[]) => rules.map(({ id }) => id);

it('keeps what is wanted and the rules that Neutron makes itself', () => {
  const { kept, missing, surplus } = differenceOf([...defaults, sshRule], [ssh]);
  expect([ids(kept), missing, surplus]).toEqual([['out4', 'out6', 'ssh'], [], []]);
});

it('takes forms of one rule for the same: any source, and protocols by number', () => {
  const current = [
    rule('out4', { direction: 'egress', remote_ip_prefix: '0.0.0.0/0' }),
    rule('out6', { direction: 'egress', ethertype: 'IPv6', remote_ip_prefix: '::/0' }),
    { ...sshRule, protocol: '6', remote_ip_prefix: '0.0.0.0/0' },
    rule('vrrp', { protocol: '112' }),
  ];
  const wanted: readonly SecurityRule[] = [
    { ...ssh, cidr: '0.0.0.0/0' },
    { direction: 'ingress', protocol: 'vrrp' },
    { direction: 'egress', protocol: 'any' },
  ];
  const { missing, surplus } = differenceOf(current, wanted);
  expect([missing, surplus]).toEqual([[], []]);
});

it('removes what is not wanted, what is there twice, and what it cannot express', () => {
  const current = [
    ...defaults,
    sshRule,
    { ...sshRule, id: 'again', remote_ip_prefix: '0.0.0.0/0' },
    rule('six', { ethertype: 'IPv6', protocol: 'tcp', port_range_min: 22, port_range_max: 22 }),
    rule('group', { remote_group_id: 'group' }),
    rule('esp', { protocol: '50' }),
  ];
  const { kept, missing, surplus } = differenceOf(current, [ssh]);
  expect(ids(kept)).toEqual(['out4', 'out6', 'ssh']);
  expect([missing, ids(surplus)]).toEqual([[], ['again', 'six', 'group', 'esp']]);
});

it('makes the default rules again, each family for itself', () => {
  const { missing } = differenceOf(
    [defaults[1], sshRule].filter((one) => one !== undefined),
    [ssh],
  );
  expect(missing).toEqual([{ direction: 'egress', ethertype: 'IPv4' }]);
});

it('asks for each wanted rule once, even if it is wanted twice', () => {
  expect(differenceOf(defaults, [ssh, ssh]).missing).toHaveLength(1);
});

it('shows rules as users know them, without the default ones, and in an order of their own', () => {
  const subnet = rule('subnet', { protocol: 'icmp', remote_ip_prefix: '10.0.0.0/8' });
  const shown = [{ direction: 'ingress', protocol: 'icmp', cidr: '10.0.0.0/8' }, ssh];
  expect(shownRules([...defaults, sshRule, subnet])).toEqual(shown);
  expect(shownRules([subnet, sshRule, ...defaults])).toEqual(shown);
});
