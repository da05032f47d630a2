import { labels } from '@unikorn/core/resource';
import { describeCarriers, everyOne, taking } from '@unikorn/core/testing/carriers';

import { Project } from '../kinds/project.ts';
import { absentId } from '../testing/index.ts';
import { openStage } from './client.fixture.ts';
import type { IdentityClient, ResourceCharge } from './index.ts';

async function furnished() {
  const scene = await openStage('unikorn-compute');
  const { found, store } = scene;
  const organizationId = await found.organization();
  const scope = { organizationId, projectId: await found.project(organizationId) };
  const principal = { actor: 'jane@example.com', ...scope };
  const charge = (id: string, servers: number): ResourceCharge => ({
    scope,
    resource: { kind: 'instances', id },
    amounts: { servers: { committed: servers, reserved: 0 } },
  });
  const rename = async (name: string) => {
    const project = await store.get(Project, scope.projectId);
    if (!project) throw new Error('the project is gone');
    const { metadata } = project;
    await store.update(Project, {
      ...project,
      metadata: { ...metadata, labels: { ...metadata.labels, [labels.name]: name } },
    });
  };
  return { ...scene, scope, principal, charge, rename };
}

type Stage = Awaited<ReturnType<typeof furnished>>;

const reference = `instances.compute.unikorn-cloud.org/${absentId}`;

describeCarriers<IdentityClient, Stage>('identity', {
  open: async (carrier) => {
    const stage = await furnished();
    const client = carrier === 'over HTTP' ? stage.overHttp : stage.inProcess;
    return { client, stage, world: stage.world, stop: stage.close };
  },
  scripts: {
    charge: async (client, see, { principal, scope, charge }) => {
      await see(client.charge(principal, charge('a', 2)));
      await see(client.charge(principal, charge('a', 2)));
      await see(client.charge(principal, charge('a', 3)));
      await see(client.charge(principal, charge('b', 100)));
      await see(client.charge({ actor: 'jane' }, { ...charge('c', 1), scope: { ...scope, projectId: absentId } }));
    },
    allocations: async (client, see, { principal }) => {
      await see(everyOne(client.allocations(principal, 'instances')));
      await see(everyOne(client.allocations({}, 'networks')));
    },
    free: async (client, see, { principal, scope }) => {
      await see(client.free(principal, scope.organizationId));
      await see(client.free({ actor: 'jane' }, absentId));
    },
    release: async (client, see, { principal, scope, charge }) => {
      await see(client.release(principal, scope, charge('a', 0).resource));
      await see(client.release(principal, scope, charge('a', 0).resource));
      await see(client.release({ actor: 'jane' }, { ...scope, projectId: absentId }, charge('a', 0).resource));
    },
    project: async (client, see, { principal, scope }) => {
      await see(client.project(principal, scope));
      await see(client.project(principal, { ...scope, projectId: absentId }));
      await see(client.project(principal, { ...scope, organizationId: absentId }));
    },
    addProjectReference: async (client, see, { principal, scope }) => {
      await see(client.addProjectReference(principal, scope, { reference, name: 'instance web-1', claim: 'run-1' }));
      await see(client.addProjectReference(principal, scope, { reference, protects: true }));
      await see(client.addProjectReference(principal, { ...scope, projectId: absentId }, { reference }));
    },
    projectReferences: async (client, see, { principal }) => {
      await see(everyOne(client.projectReferences(principal, { user: reference })));
      await see(everyOne(client.projectReferences({}, { userKind: 'instances.compute.unikorn-cloud.org' })));
      await see(everyOne(client.projectReferences({}, { userKind: 'identities.region.unikorn-cloud.org' })));
    },
    watchProjects: async (client, see, { principal, rename, store, scope }) => {
      const stop = new AbortController();
      const watch = taking(client.watchProjects(principal, { signal: stop.signal }));
      // Positions contain the moment of the store, and the carriers do not write the same number of objects.
      const told = async (type: 'synced' | 'modified') =>
        (await watch.until(type)).map((event) => ({ ...event, position: undefined }));
      await see(told('synced'));
      await rename('another-name');
      await see(told('modified'));
      await store.delete(Project, scope.projectId);
      await see(told('modified'));
      stop.abort();
    },
    removeProjectReference: async (client, see, { principal, scope }) => {
      await see(client.removeProjectReference(principal, scope, reference, 'another-run'));
      await see(client.removeProjectReference(principal, scope, reference));
      await see(client.removeProjectReference(principal, scope, reference));
      await see(client.removeProjectReference(principal, { ...scope, projectId: absentId }, reference));
    },
  },
});
