import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Project, quotaKinds } from '@unikorn/identity/client';
import { isProblem } from '@unikorn/core/errors';
import type { Kind, SpecOf } from '@unikorn/core/kinds';
import { addReference, ReferenceRecord, type Holder } from '@unikorn/core/references';
import { labels, referenceOf } from '@unikorn/core/resource';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { virtualWorld } from '@unikorn/core/testing';

import {
  FileStorage,
  Identity,
  LoadBalancer,
  Network,
  projectKinds,
  SecurityGroup,
  Server,
  SSHCertificateAuthority,
  Volume,
} from '../kinds/index.ts';
import { specimens } from '../kinds/specimens.fixture.ts';
import {
  deletionTarget,
  edges,
  fileStorageUses,
  goesWith,
  identityUses,
  projectKindId,
  propagationsFrom,
  quotasOf,
  refuseWhileUsed,
  serverUses,
  teardownOrder,
  userKindsOf,
  waitsFor,
  type Edge,
} from './index.ts';

const everyKind = [projectKindId, ...projectKinds.map(({ id }) => id)];

function kindsOf(edge: Edge): readonly string[] {
  switch (edge.type) {
    case 'owner':
      return [edge.owner, edge.owned];
    case 'reference':
      return [edge.user, edge.used];
    case 'allocation':
      return [edge.holder];
    case 'hidden-principal':
      return [edge.visible, edge.principal];
    case 'propagation':
      return [edge.from, edge.to];
  }
}

describe('the table', () => {
  it('names identity and its quotas as they name themselves', () => {
    expect(projectKindId).toBe(Project.id);
    expect(
      edges
        .flatMap((edge) => (edge.type === 'allocation' ? edge.quotas : []))
        .filter((quota) => !quotaKinds.some((known) => known === quota)),
    ).toEqual([]);
  });

  it('holds no edge twice, and at least one of every kind of a project and of no other', () => {
    expect(new Set(edges.map((edge) => JSON.stringify(edge))).size).toBe(edges.length);
    expect(new Set(edges.flatMap(kindsOf))).toEqual(new Set(everyKind));
  });

  it('lets every kind of a project go with the project', () => {
    expect(goesWith(projectKindId).toSorted()).toEqual(projectKinds.map(({ id }) => id).toSorted());
  });

  it('has no cycle from wherever one begins', () => {
    for (const kind of everyKind) expect(() => teardownOrder(kind)).not.toThrow();
  });

  it('propagates only by labels that lists are served by', () => {
    const unindexed = edges.filter(
      (edge) =>
        edge.type === 'propagation' &&
        !projectKinds.some(({ id, indexedLabels }) => id === edge.to && indexedLabels.includes(edge.label)),
    );
    expect(unindexed).toEqual([]);
  });

  it('charges only for what a controller can give back', () => {
    const holders = edges.flatMap((edge) => (edge.type === 'allocation' ? [edge.holder] : []));
    expect(projectKinds.filter(({ id, realisation }) => holders.includes(id) && realisation !== 'controlled')).toEqual(
      [],
    );
  });
});

describe('what follows from it', () => {
  it('a network is deleted through its principal, anything else by itself', () => {
    expect(deletionTarget(Network.id)).toBe(Identity.id);
    expect(everyKind.filter((kind) => deletionTarget(kind) !== kind)).toEqual([Network.id]);
  });

  it('with a network goes all that is in it, and nothing that is not', () => {
    expect(new Set(goesWith(Network.id))).toEqual(
      new Set([Identity, SecurityGroup, LoadBalancer, Server, Volume].map(({ id }) => id)),
    );
    expect(goesWith(Server.id)).toEqual([]);
  });

  it('nothing comes down before what it waits for', () => {
    fc.assert(
      fc.property(fc.constantFrom(...everyKind), (kind) => {
        const order = teardownOrder(kind);
        expect(order.toSorted()).toEqual([kind, ...goesWith(kind)].toSorted());
        for (const [position, later] of order.entries())
          for (const earlier of waitsFor(later)) expect(order.indexOf(earlier)).toBeLessThan(position);
      }),
    );
  });

  it('a project comes down in the documented order', () => {
    const order = teardownOrder(projectKindId);
    const position = (kind: Kind) => order.indexOf(kind.id);
    expect(position(Server)).toBeLessThan(position(SecurityGroup));
    expect(position(Server)).toBeLessThan(position(SSHCertificateAuthority));
    expect(position(FileStorage)).toBeLessThan(position(Network));
    expect(position(Network)).toBeLessThan(position(Identity));
    expect(order.at(-1)).toBe(projectKindId);
  });

  it('each kind knows who uses it, what it pays and what its deletion reaches', () => {
    expect(userKindsOf(Network.id)).toEqual([Server.id, FileStorage.id]);
    expect(userKindsOf(LoadBalancer.id)).toEqual([]);
    expect(quotasOf(LoadBalancer.id)).toEqual(['loadbalancers', 'publicips']);
    expect(quotasOf(Server.id)).toEqual([]);
    expect(propagationsFrom(projectKindId).map(({ to }) => to)).toEqual([
      Identity.id,
      FileStorage.id,
      SSHCertificateAuthority.id,
    ]);
  });
});

describe('what a resource uses', () => {
  const metadata = {
    name: 'x',
    uid: 'u',
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { [labels.project]: 'p' },
  };
  const server = {
    flavorID: 'f',
    image: { id: 'i' },
    networks: [{ id: 'n' }],
    securityGroups: [{ id: 's' }, { id: 't' }],
    volumes: [{ id: 'v' }],
    sshCertificateAuthorityID: 'c',
  };
  const storage = {
    storageClassID: 'c',
    size: 1,
    attachments: [{ networkID: 'n' }],
    defaultSnapshotProtectionEnabled: false,
    snapshotPolicies: [],
    nfs: { rootSquash: true },
  };
  const found = {
    [Identity.id]: identityUses({ metadata }),
    [Server.id]: serverUses({ spec: server }),
    [FileStorage.id]: fileStorageUses({ metadata, spec: storage }),
  };

  it('is of exactly the kinds the table says', () => {
    for (const kind of everyKind) {
      const used = edges.flatMap((edge) => (edge.type === 'reference' && edge.user === kind ? [edge.used] : []));
      expect(new Set((found[kind] ?? []).map((use) => use.kind))).toEqual(new Set(used));
    }
  });

  it('is named one by one, and absent where it names nothing', () => {
    expect(serverUses({ spec: server }).map(({ id }) => id)).toEqual(['n', 's', 't', 'v', 'c']);
    expect(serverUses({ spec: { flavorID: 'f', image: { id: 'i' }, networks: [{ id: 'n' }] } })).toEqual([
      { kind: Network.id, id: 'n' },
    ]);
  });
});

describe('deleting what is in use', () => {
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

  it('is allowed once only the platform itself holds it', async () => {
    expect(await refusal(Network, [])).toBe('allowed');
    expect(await refusal(SecurityGroup, [], [{}, { securityGroups: [{ id: 'another' }] }])).toBe('allowed');
  });

  it('is refused by the name of each user, whether it holds on or is found', async () => {
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

  it('does not list them without end, nor read them all', async () => {
    const servers = Array.from({ length: 205 }, () => ({ securityGroups: [{ id: 'n1' }] }));
    expect(await refusal(SecurityGroup, [], servers)).toBe(
      'security group n1 is in use by server s0, server s1, server s10, server s100, server s101 and others: delete them first',
    );
  });

  it('finds a user however many others come first', async () => {
    const servers = Array.from({ length: 205 }, (_, index) => (index === 99 ? { securityGroups: [{ id: 'n1' }] } : {}));
    expect(await refusal(SecurityGroup, [], servers)).toBe(
      'security group n1 is in use by server s99: delete it first',
    );
  });
});
