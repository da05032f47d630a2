import { describe, expect, it } from 'vitest';

import { Project } from '@unikorn/identity/kinds';
import { isProblem } from '@unikorn/core/errors';
import type { Kind, SpecOf } from '@unikorn/core/kinds';
import { addReference, ReferenceRecord, type Holder } from '@unikorn/core/references';
import { labels, referenceOf } from '@unikorn/core/resource';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { virtualWorld } from '@unikorn/core/testing';

import { FileStorage, Network, projectKinds, SecurityGroup, Server, SSHCertificateAuthority } from '../kinds/index.ts';
import { specimens } from '../kinds/specimens.fixture.ts';
import { edges, type Edge } from './edges.ts';
import { propagationsFrom, refuseWhileUsed, serverUses } from './index.ts';
import { childrenOf } from './walk.ts';

/** The kinds that an edge is about, those of other services left out. */
function kindsOf(edge: Edge): readonly string[] {
  switch (edge.type) {
    case 'owner':
      return [edge.owner, edge.owned];
    case 'use by servers':
      return [Server.id, edge.used];
    case 'propagation':
      return [edge.to];
  }
}

describe('the table', () => {
  it('has no edge twice, and at least one for every kind of a project and for no other kind', () => {
    expect(new Set(edges.map((edge) => JSON.stringify(edge))).size).toBe(edges.length);
    expect(new Set(edges.flatMap(kindsOf))).toEqual(new Set(projectKinds.map(({ id }) => id)));
  });

  it('deletes every kind of a project with the project, directly or with its owner', () => {
    const reached = new Set(propagationsFrom(Project.id).map(({ to }) => to));
    // A set also iterates over elements that are added during the iteration.
    for (const kind of reached) for (const { owned } of childrenOf(kind)) reached.add(owned);
    expect([...reached].toSorted()).toEqual(projectKinds.map(({ id }) => id).toSorted());
  });

  it('propagates only by indexed labels', () => {
    const unindexed = propagationsFrom(Project.id).filter(
      ({ to, label }) => !projectKinds.some(({ id, indexedLabels }) => id === to && indexedLabels.includes(label)),
    );
    expect(unindexed).toEqual([]);
  });

  it('finds servers by everything that a server can refer to, through indexed labels', () => {
    const spec = {
      flavorID: 'f',
      image: { id: 'i' },
      networks: [{ id: 'n' }],
      securityGroups: [{ id: 's' }, { id: 't' }],
      volumes: [{ id: 'v' }],
      sshCertificateAuthorityID: 'c',
    };
    expect(serverUses({ spec }).map(({ id }) => id)).toEqual(['n', 's', 't', 'v', 'c']);
    expect(serverUses({ spec: { ...spec, securityGroups: [], volumes: [] } }).map(({ id }) => id)).toEqual(['n', 'c']);
    const found = edges.flatMap((edge) => (edge.type === 'use by servers' ? [edge] : []));
    expect(new Set(serverUses({ spec }).map(({ kind }) => kind))).toEqual(new Set(found.map(({ used }) => used)));
    expect(found.filter(({ label }) => !Server.indexedLabels.includes(label))).toEqual([]);
  });
});

describe('deleting a resource in use', () => {
  const inNetwork = { [labels.network]: 'n1', [labels.sshCertificateAuthority]: 'n1' };

  /** Whether `n1` of this kind could be deleted, with these references to it and these servers beside it. */
  async function refusal(
    kind: Kind,
    held: readonly Holder[],
    servers: readonly Partial<SpecOf<typeof Server>>[] = [],
  ): Promise<string> {
    const world = virtualWorld();
    const store = openMemoryStore({
      world,
      kinds: [kind, Server, ReferenceRecord].filter((each, index, all) => all.indexOf(each) === index),
    });
    await store.create(kind, {
      metadata: { name: 'n1' },
      spec: specimens[kind.kind as 'Network' | 'SecurityGroup' | 'SSHCertificateAuthority'],
    });
    for (const holder of held) await addReference({ store, world }, kind, { name: 'n1' }, holder);
    for (const [index, uses] of servers.entries()) {
      await store.create(Server, {
        metadata: { name: `s${index}`, labels: inNetwork },
        spec: { flavorID: 'f', image: { id: 'i' }, networks: [{ id: 'n1' }], ...uses },
      });
    }
    try {
      await refuseWhileUsed(store, kind, { name: 'n1', labels: inNetwork });
    } catch (error) {
      if (isProblem(error, 'in_use')) return error.message;
      throw error;
    } finally {
      await store.close();
    }
    return 'allowed';
  }

  it('is allowed once only the platform itself refers to it', async () => {
    expect(await refusal(Network, [])).toBe('allowed');
    expect(await refusal(SecurityGroup, [], [{}, { securityGroups: [{ id: 'another' }] }])).toBe('allowed');
  });

  it('is refused and names each user, by its reference or by its label', async () => {
    expect(await refusal(Network, [{ reference: referenceOf(FileStorage, 'a') }])).toBe(
      'network n1 is in use by file storage a: delete it first',
    );
    expect(await refusal(Network, [{ reference: referenceOf(FileStorage, 'b') }], [{}])).toBe(
      'network n1 is in use by file storage b and server s0: delete them first',
    );
    expect(await refusal(SecurityGroup, [], [{}, { securityGroups: [{ id: 'n1' }] }])).toBe(
      'security group n1 is in use by server s1: delete it first',
    );
    expect(
      await refusal(Network, [], [{ tags: [{ name: 'compute.unikorn-cloud.org/instance-id', value: 'i0' }] }]),
    ).toBe('network n1 is in use by instance i0: delete it first');
    expect(await refusal(SSHCertificateAuthority, [], [{ sshCertificateAuthorityID: 'n1' }])).toBe(
      'ssh certificate authority n1 is in use by server s0: delete it first',
    );
    expect(await refusal(Network, [{ reference: 'computeinstances.compute.unikorn-cloud.org/c' }])).toBe(
      'network n1 is in use by computeinstances.compute.unikorn-cloud.org/c: delete it first',
    );
    expect(
      await refusal(Network, [{ reference: 'computeinstances.compute.unikorn-cloud.org/c', name: 'instance web' }]),
    ).toBe('network n1 is in use by instance web (c): delete it first');
  });

  it('names an instance once, whether its server is there already or not', async () => {
    const reference = 'computeinstances.compute.unikorn-cloud.org/i0';
    const server = { tags: [{ name: 'compute.unikorn-cloud.org/instance-id', value: 'i0' }] };
    expect(await refusal(Network, [{ reference, name: 'instance web' }], [server])).toBe(
      'network n1 is in use by instance web (i0): delete it first',
    );
  });

  it('does not list all users, and does not read all of them', async () => {
    const servers = Array.from({ length: 205 }, () => ({ securityGroups: [{ id: 'n1' }] }));
    expect(await refusal(SecurityGroup, [], servers)).toBe(
      'security group n1 is in use by server s0, server s1, server s10, server s100, server s101 and others: delete them first',
    );
  });

  it('finds a user however many other objects come first', async () => {
    const servers = Array.from({ length: 205 }, (_, index) => (index === 99 ? { securityGroups: [{ id: 'n1' }] } : {}));
    expect(await refusal(SecurityGroup, [], servers)).toBe(
      'security group n1 is in use by server s99: delete it first',
    );
  });
});
