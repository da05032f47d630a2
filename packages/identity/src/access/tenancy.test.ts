import { describe, expect, it, onTestFinished } from 'vitest';

import { allowsProject } from '@unikorn/core/access';
import { Caches } from '@unikorn/core/controller';
import { Problem } from '@unikorn/core/errors';
import { modify, modifyStatus } from '@unikorn/core/store';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { interpose, silentTelemetry, virtualWorld } from '@unikorn/core/testing';

import { Group, identityKinds, Organization, OrganizationUser, Project, ServiceAccount } from '../kinds/index.ts';
import { Founder } from '../testing/founder.ts';
import { identityAuthenticator } from './authenticator.ts';
import { GlobalBindings } from './bindings.ts';
import { RoleCatalogue, roleIdOf } from './roles.ts';
import { Tenancy } from './tenancy.ts';

type Change = readonly [change: () => Promise<unknown>, allowed: boolean];

const jane = { type: 'user', subject: 'jane@acme.com' } as const;

async function acme() {
  const world = virtualWorld();
  const telemetry = silentTelemetry();
  const store = openMemoryStore({ world, kinds: identityKinds });
  const caches = new Caches({ store, world, telemetry });
  const roles = new RoleCatalogue();
  const tenancy = new Tenancy({ caches, world, telemetry, roles, bindings: new GlobalBindings(roles, {}) });
  const stop = new AbortController();
  const running = caches.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
    await store.close();
  });
  const found = new Founder(store, world);
  const organizationId = await found.organization();
  const membershipId = await found.user('jane@acme.com', organizationId);
  const groupId = await found.group(organizationId, ['user'], { users: ['Jane@acme.com'] });
  const projectId = await found.project(organizationId, [groupId]);
  await world.settle();
  const mayCreate = async () => {
    await world.settle();
    return allowsProject(tenancy.aclOf(jane), 'compute:instances', 'create', organizationId, projectId);
  };
  return { world, telemetry, store, tenancy, found, organizationId, membershipId, groupId, projectId, mayCreate };
}

describe('the cache of permissions', () => {
  it('is limited to the organizations of the token, whatever other memberships its holder has', async () => {
    const { tenancy, found, world, organizationId } = await acme();
    const other = await found.organization();
    await found.user('jane@acme.com', other);
    await found.group(other, ['administrator'], { users: ['jane@acme.com'] });
    await world.settle();
    const tokens = {
      verify: () => Promise.resolve({ ...jane, accountType: 'user' as const, organizationIds: [organizationId] }),
    };
    const authenticator = identityAuthenticator({ tokens, services: new Map(), tenancy });
    const acl = await authenticator.access(await authenticator.authenticate({ type: 'token', token: 't' }, {}), {});
    expect(acl.organizations?.map(({ id }) => id)).toEqual([organizationId]);
  });

  it('delays requests until it is loaded, and not for ever', async () => {
    const world = virtualWorld();
    const telemetry = silentTelemetry();
    let readable = false;
    const store = interpose(openMemoryStore({ world, kinds: identityKinds }), (_call, happen) =>
      readable ? happen() : Promise.reject(new Problem('storage_unavailable', 'the disk is broken')),
    );
    const caches = new Caches({ store, world, telemetry });
    const roles = new RoleCatalogue();
    const tenancy = new Tenancy({ caches, world, telemetry, roles, bindings: new GlobalBindings(roles, {}) });
    const stop = new AbortController();
    const running = caches.run(stop.signal);
    const refused = expect(tenancy.whenReady()).rejects.toMatchObject({ code: 'storage_unavailable' });
    await world.advance(10_000);
    await refused;
    readable = true;
    const ready = tenancy.whenReady();
    await world.advance(60_000);
    await ready;
    stop.abort();
    await world.settle();
    await running;
    await store.close();
  });

  it('reflects every relevant change immediately', async () => {
    const { store, groupId, projectId, membershipId, organizationId, mayCreate } = await acme();
    const changes: readonly Change[] = [
      [() => Promise.resolve(), true],
      [() => modify(store, Project, projectId, (project) => ({ ...project, spec: { groupIDs: [] } })), false],
      [() => modify(store, Project, projectId, (project) => ({ ...project, spec: { groupIDs: [groupId] } })), true],
      [
        () =>
          modify(store, Group, groupId, (group) => ({
            ...group,
            spec: { ...group.spec, roleIDs: [roleIdOf('reader')] },
          })),
        false,
      ],
      [
        () =>
          modify(store, Group, groupId, (group) => ({
            ...group,
            spec: { ...group.spec, roleIDs: [roleIdOf('user')] },
          })),
        true,
      ],
      [
        () =>
          modify(store, OrganizationUser, membershipId, (user) => ({
            ...user,
            spec: { ...user.spec, state: 'pending' as const },
          })),
        false,
      ],
      [
        () =>
          modify(store, OrganizationUser, membershipId, (user) => ({
            ...user,
            spec: { ...user.spec, state: 'active' as const },
          })),
        true,
      ],
      [
        () =>
          modify(store, Group, groupId, (group) => ({
            ...group,
            spec: {
              ...group.spec,
              subjects: group.spec.subjects.map((subject) => ({ ...subject, issuer: 'https://elsewhere.example.com' })),
            },
          })),
        false,
      ],
      [
        () =>
          modify(store, Group, groupId, (group) => ({
            ...group,
            spec: { ...group.spec, subjects: [{ id: 'jane@acme.com', issuer: 'uni' }] },
          })),
        true,
      ],
      [() => store.delete(Organization, organizationId), false],
    ];
    for (const [change, expected] of changes) {
      await change();
      expect(await mayCreate(), change.toString()).toBe(expected);
    }
  });

  it('is computed once and kept while only a status changes', async () => {
    const { world, store, tenancy, projectId } = await acme();
    const before = tenancy.aclOf(jane).organizations?.[0];
    await modifyStatus(store, Project, projectId, (project) => ({ ...project, status: { observedGeneration: 1 } }));
    await world.settle();
    expect(tenancy.aclOf(jane).organizations?.[0]).toBe(before);
  });

  it('is kept in one organization when another changes', async () => {
    const { world, tenancy, found } = await acme();
    const before = tenancy.aclOf(jane).organizations?.[0];
    await found.group(await found.organization(), ['user'], { users: ['jane@acme.com'] });
    await world.settle();
    expect(tenancy.aclOf(jane).organizations).toEqual([before]);
    expect(tenancy.aclOf(jane).organizations?.[0]).toBe(before);
  });

  it('counts and ignores undefined roles', async () => {
    const { store, telemetry, groupId, mayCreate } = await acme();
    await modify(store, Group, groupId, (group) => ({
      ...group,
      spec: { ...group.spec, roleIDs: ['gone', roleIdOf('user')] },
    }));
    expect(await mayCreate()).toBe(true);
    expect(await telemetry.registry.metrics()).toContain('unikorn_identity_missing_roles_total 1');
  });

  it('has no entry for a deleted service account', async () => {
    const { world, store, tenancy, found, organizationId } = await acme();
    const robot = await found.robot(organizationId, ['auditor']);
    await world.settle();
    const subject = { type: 'service', serviceAccountId: robot.id } as const;
    expect(tenancy.aclOf(subject).organizations).toHaveLength(1);
    await store.delete(ServiceAccount, robot.id);
    await world.settle();
    expect(tenancy.aclOf(subject)).toEqual({});
  });
});
