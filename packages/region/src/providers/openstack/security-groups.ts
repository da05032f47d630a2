import {
  absent,
  isProviderFailure,
  type Ensured,
  type Found,
  type IdentityReference,
  type ObservedSecurityGroup,
  type Presence,
  type Removed,
  type ResourceReference,
  type SecurityGroups,
  type WantedSecurityGroup,
} from '../../provider/index.ts';
import { keepOne, makeOnce, neutron, onlyOne } from './client/index.ts';
import { securityGroupName } from './names.ts';
import { differenceOf, shownRules } from './security-rules.ts';
import { requireTenant, type Tenant, type Tenants } from './tenants.ts';

const namePrefix = securityGroupName('');

export class OpenstackSecurityGroups implements SecurityGroups {
  readonly #tenants: Tenants;

  constructor({ tenants }: { readonly tenants: Tenants }) {
    this.#tenants = tenants;
  }

  async ensure(
    identity: IdentityReference,
    { id, rules: wanted }: WantedSecurityGroup,
  ): Promise<Ensured<ObservedSecurityGroup>> {
    const tenant = await requireTenant(this.#tenants, identity);
    const { session } = tenant;
    const group = (await keptGroup(tenant, id)) ?? (await createGroup(tenant, id));
    const { kept, missing, surplus } = differenceOf(group.security_group_rules, wanted);
    const made: neutron.SecurityGroupRule[] = [];
    // New rules first: a rule that replaces another must not interrupt the traffic that both allow.
    for (const rule of missing) {
      const created = await createRule(session, { ...rule, securityGroupId: group.id });
      if (created) made.push(created);
    }
    for (const { id: ruleId } of surplus) await neutron.deleteSecurityGroupRule(session, ruleId);
    return { state: 'present', observed: { providerId: group.id, rules: shownRules([...kept, ...made]) } };
  }

  async observe(identity: IdentityReference, { id }: ResourceReference): Promise<Presence<ObservedSecurityGroup>> {
    const tenant = await this.#tenants(identity);
    const group = tenant && (await findGroup(tenant, id));
    return group ? presenceOf(group) : absent;
  }

  async list(identity: IdentityReference): Promise<readonly Found<ObservedSecurityGroup>[]> {
    const tenant = await this.#tenants(identity);
    if (!tenant) return [];
    const { projectId, session } = tenant;
    return (await neutron.listSecurityGroups(session, { projectId }))
      .filter(({ name }) => name.startsWith(namePrefix))
      .map((group) => ({ id: group.name.slice(namePrefix.length), presence: presenceOf(group) }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** Fails with `in_use` while a port has the group. */
  async remove(identity: IdentityReference, { id }: ResourceReference): Promise<Removed> {
    const tenant = await this.#tenants(identity);
    if (!tenant) return absent;
    for (const group of await groupsNamed(tenant, id)) await neutron.deleteSecurityGroup(tenant.session, group.id);
    return absent;
  }
}

/** Where there are several groups, those that no port has are removed. */
async function keptGroup(tenant: Tenant, id: string): Promise<neutron.SecurityGroup | undefined> {
  const { session, projectId } = tenant;
  return keepOne(await groupsNamed(tenant, id), {
    isUsed: async (group) =>
      (await neutron.listPorts(session, { projectId })).some((port) => port.security_groups.includes(group.id)),
    remove: (groupId) => neutron.deleteSecurityGroup(session, groupId),
    doing: 'looking for the security group',
    what: `security group ${securityGroupName(id)}`,
  });
}

async function findGroup(tenant: Tenant, id: string): Promise<neutron.SecurityGroup | undefined> {
  return onlyOne(await groupsNamed(tenant, id), {
    doing: 'looking for the security group',
    what: `security group ${securityGroupName(id)}`,
  });
}

function groupsNamed({ projectId, session }: Tenant, id: string): Promise<readonly neutron.SecurityGroup[]> {
  return neutron.listSecurityGroups(session, { projectId, name: securityGroupName(id) });
}

function createGroup(tenant: Tenant, id: string): Promise<neutron.SecurityGroup> {
  const { session } = tenant;
  const name = securityGroupName(id);
  return makeOnce({
    make: () => neutron.createSecurityGroup(session, { name }),
    list: () => groupsNamed(tenant, id),
    remove: (groupId) => neutron.deleteSecurityGroup(session, groupId),
    doing: 'creating the security group',
    what: `security group ${name}`,
  });
}

/** Undefined where the rule exists already: an earlier attempt whose response was lost has made it. */
async function createRule(
  session: Tenant['session'],
  rule: neutron.NewSecurityGroupRule,
): Promise<neutron.SecurityGroupRule | undefined> {
  try {
    return await neutron.createSecurityGroupRule(session, rule);
  } catch (error) {
    if (isProviderFailure(error, 'conflict')) return undefined;
    throw error;
  }
}

function presenceOf({ id, security_group_rules: rules }: neutron.SecurityGroup): Ensured<ObservedSecurityGroup> {
  return { state: 'present', observed: { providerId: id, rules: shownRules(rules) } };
}
