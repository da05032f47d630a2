import { systemWorld } from '@unikorn/core/world';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { SecurityRule } from '../../packages/region/src/provider/index.ts';
import type { CallRecord } from '../../packages/region/src/providers/openstack/client/index.ts';
import { OpenstackSecurityGroups } from '../../packages/region/src/providers/openstack/security-groups.ts';
import { asAdministrator, makeProject } from './cloud.fixture.ts';
import type { Caller, Json } from './cloud/caller.ts';
import { managerOf, openClient } from './region-user.fixture.ts';

const calls: CallRecord[] = [];
const cloud = openClient((record) => calls.push(record));
const identity = { id: 'a', organizationId: 'b', projectId: 'c' };
let call: Caller;
let project: Awaited<ReturnType<typeof makeProject>>;
let groups: OpenstackSecurityGroups;

beforeAll(async () => {
  call = await asAdministrator();
  project = await makeProject();
  groups = new OpenstackSecurityGroups({ tenants: managerOf(cloud, project.projectId) });
});

afterAll(async () => {
  await project.removeAll();
  await cloud.close();
});

const ssh: SecurityRule = { direction: 'ingress', protocol: 'tcp', ports: { start: 22, end: 22 } };
const vrrp: SecurityRule = { direction: 'ingress', protocol: 'vrrp', cidr: '10.0.0.0/8' };

/** The rules of a group that the administrator sees, as short texts. */
async function seen(id: string): Promise<readonly string[]> {
  const { security_groups: found } = await call('network', 'GET', `/v2.0/security-groups?name=securitygroup-${id}`);
  expect(found).toHaveLength(1);
  return found[0].security_group_rules
    .map((rule: Json) =>
      [
        rule.direction,
        rule.ethertype,
        rule.protocol ?? 'any',
        rule.port_range_min ?? '*',
        rule.remote_ip_prefix ?? '*',
      ].join(' '),
    )
    .toSorted();
}

const defaults = ['egress IPv4 any * *', 'egress IPv6 any * *'];

it('has the rules that were asked for, and everything may go out', async () => {
  const id = systemWorld.uuid();
  await groups.ensure(identity, { id, rules: [ssh, vrrp] });
  expect(await seen(id)).toEqual([...defaults, 'ingress IPv4 tcp 22 *', 'ingress IPv4 vrrp * 10.0.0.0/8']);
  await groups.ensure(identity, { id, rules: [] });
  expect(await seen(id)).toEqual(defaults);
});

it('gets back the default rules that were removed behind our back, and loses rules that were added', async () => {
  const id = systemWorld.uuid();
  const owner = { project_id: project.projectId };
  const { observed } = await groups.ensure(identity, { id, rules: [ssh] });
  const { security_group: group } = await call('network', 'GET', `/v2.0/security-groups/${observed.providerId}`);
  for (const rule of group.security_group_rules)
    if (rule.direction === 'egress') await call('network', 'DELETE', `/v2.0/security-group-rules/${rule.id}`);
  for (const rule of [
    { ethertype: 'IPv4', protocol: 'udp', port_range_min: 53, port_range_max: 53 },
    { ethertype: 'IPv6', protocol: 'tcp', port_range_min: 22, port_range_max: 22 },
    { ethertype: 'IPv4', remote_group_id: observed.providerId },
    { ethertype: 'IPv4', protocol: '50' },
  ])
    await call('network', 'POST', '/v2.0/security-group-rules', {
      body: {
        security_group_rule: { ...owner, direction: 'ingress', security_group_id: observed.providerId, ...rule },
      },
    });
  await groups.ensure(identity, { id, rules: [ssh] });
  expect(await seen(id)).toEqual([...defaults, 'ingress IPv4 tcp 22 *']);
});

it('that is as it should be costs one call', async () => {
  const id = systemWorld.uuid();
  const rules = [ssh, vrrp, { direction: 'egress', protocol: 'any' }] as const;
  await groups.ensure(identity, { id, rules });
  calls.length = 0;
  await groups.ensure(identity, { id, rules });
  expect(calls).toHaveLength(1);
});

it('cannot be removed while a port has it', async () => {
  const id = systemWorld.uuid();
  const { observed } = await groups.ensure(identity, { id, rules: [ssh] });
  const owner = { project_id: project.projectId };
  const { network } = await call('network', 'POST', '/v2.0/networks', { body: { network: owner } });
  const { port } = await call('network', 'POST', '/v2.0/ports', {
    body: { port: { ...owner, network_id: network.id, security_groups: [observed.providerId] } },
  });
  await expect(groups.remove(identity, { id })).rejects.toMatchObject({ kind: 'in_use' });
  await call('network', 'DELETE', `/v2.0/ports/${port.id}`);
  expect(await groups.remove(identity, { id })).toEqual({ state: 'absent' });
  expect(await groups.observe(identity, { id })).toEqual({ state: 'absent' });
});
