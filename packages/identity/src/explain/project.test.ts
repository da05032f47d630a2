import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { addReference, ReferenceRecord } from '@unikorn/core/references';
import { availableReasons, healthReasons, labels } from '@unikorn/core/resource';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { virtualWorld } from '@unikorn/core/testing';

import { Organization } from '../kinds/organization.ts';
import { Project } from '../kinds/project.ts';
import { explainProject } from './index.ts';

const organizationId = 'a0000000-0000-4000-8000-000000000001';
const projectId = 'b0000000-0000-4000-8000-000000000001';
const acl = { global: [{ name: 'identity:organizations', operations: ['read' as const] }] };

async function stage() {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [Organization, Project, ReferenceRecord] });
  await store.create(Organization, {
    metadata: { name: organizationId, labels: { [labels.name]: 'acme' }, finalizers: ['unikorn'] },
    spec: {},
  });
  const project = await store.create(Project, {
    metadata: {
      name: projectId,
      labels: { [labels.name]: 'web', [labels.organization]: organizationId },
      finalizers: ['unikorn'],
    },
    spec: { groupIDs: [] },
  });
  const hold = (reference: string, name?: string) =>
    addReference({ store, world }, Project, project.metadata, { reference, name });
  const explained = async (rights: Parameters<typeof explainProject>[0]['acl'] = acl) => {
    const current = await store.get(Project, projectId);
    if (!current) throw new Error('the project is gone');
    return explainProject({ store, acl: rights }, current);
  };
  return { store, project, hold, explained };
}

describe('the explanation of a project', () => {
  it('shows its organization', async () => {
    const { explained } = await stage();
    expect((await explained()).nodes).toMatchObject([
      { kind: 'organization', name: 'acme', dependsOn: [] },
      { kind: 'project', name: 'web', dependsOn: [{ kind: 'organization', id: organizationId }] },
    ]);
  });

  it('does not name the organization to callers who may not read it', async () => {
    const { explained } = await stage();
    expect(JSON.stringify(await explained({}))).not.toContain('acme');
  });

  it('shows the resources that block a deletion, and counts the others', async () => {
    const { store, hold, explained } = await stage();
    await hold('identities.region.unikorn-cloud.org/1', 'network front');
    for (let count = 2; count <= 7; count++)
      await hold(`filestorages.region.unikorn-cloud.org/${count}`, `file storage ${count}`);
    await store.delete(Project, projectId);
    const { ready, nodes, summary } = await explained();
    expect(ready).toBe(false);
    expect(nodes.filter(({ kind }) => kind === 'holder')).toHaveLength(5);
    expect(summary).toMatch(/^(network front|file storage \d): it must be deleted first$/);
    const project = nodes.find(({ kind }) => kind === 'project');
    expect(project).toMatchObject({ state: 'deleting', message: expect.stringMatching(/ and 2 more$/) as string });
    expect(project?.dependsOn).toHaveLength(5);
    expect(nodes.find(({ kind }) => kind === 'organization')?.dependsOn).toEqual([{ kind: 'project', id: projectId }]);
  });

  it('is never empty for a project that is not ready', async () => {
    const { store, project } = await stage();
    const condition = (type: string, reasons: readonly string[]) =>
      fc.record({
        type: fc.constant(type),
        status: fc.constantFrom('True', 'False', 'Unknown'),
        reason: fc.constantFrom(...reasons),
        message: fc.constantFrom('', 'because'),
        lastTransitionTime: fc.constant('2026-01-01T00:00:00Z'),
      });
    const drawn = fc.record({
      deleted: fc.boolean(),
      pause: fc.boolean(),
      generation: fc.constantFrom(1, 2),
      conditions: fc.oneof(
        fc.constant([]),
        fc.tuple(condition('Available', availableReasons), condition('Healthy', healthReasons)),
      ),
    });
    await fc.assert(
      fc.asyncProperty(drawn, async ({ deleted, pause, generation, conditions }) => {
        const { ready, summary, nodes } = await explainProject(
          { store, acl: {} },
          {
            ...project,
            metadata: {
              ...project.metadata,
              generation,
              ...(deleted ? { deletionTimestamp: '2026-01-01T01:00:00Z' } : {}),
            },
            spec: { ...project.spec, pause },
            status: { conditions, observedGeneration: 1 },
          },
        );
        expect(summary).not.toBe('');
        if (!ready) expect(nodes[0]?.state).not.toBe('ready');
        for (const { state, reason, message, unblockedBy } of nodes)
          if (state !== 'ready') expect([reason, message, unblockedBy ?? '']).not.toContain('');
      }),
    );
  });
});
