import { describe, expect, it } from 'vitest';

import { group } from './nouns/group.ts';
import { filestorage } from './nouns/filestorage.ts';
import { network } from './nouns/network.ts';
import type { Named } from './nouns/noun.ts';
import { user } from './nouns/user.ts';
import { alteration, creation } from './writing.ts';
import { withMembers } from './verbs/members.ts';

function networkRead(): Named {
  const object = {
    metadata: {
      id: 'n1',
      name: 'web',
      description: 'front',
      tags: [
        { name: 'team', value: 'a' },
        { name: 'stage', value: 'test' },
      ],
      provisioningStatus: 'provisioned' as const,
      projectId: 'p',
    },
    spec: { dnsNameservers: ['1.1.1.1'], routes: [{ prefix: '10.9.0.0/16', nexthop: '10.0.0.1' }] },
    status: { prefix: '10.0.0.0/24', regionId: 'r' },
  };
  return object;
}

describe('the body of a create', () => {
  it('contains the name, the scope, the given fields, and required defaults', () => {
    const document = creation(
      network,
      'web',
      { description: 'front', tag: ['team=a'] },
      new Map([['spec.prefix', '10.0.0.0/24']]),
      { projectId: 'p' },
    );
    expect(document).toEqual({
      metadata: { name: 'web', description: 'front', tags: [{ name: 'team', value: 'a' }] },
      spec: { projectId: 'p', prefix: '10.0.0.0/24', dnsNameservers: [] },
    });
  });

  it('has the mail address of a user in the field of the service', () => {
    expect(creation(user, 'a@example.com', {}, new Map(), {})).toEqual({
      spec: { subject: 'a@example.com', state: 'active', groupIDs: [] },
    });
  });

  it('has nested values in one object', () => {
    const { spec } = creation(
      filestorage,
      'shared',
      {},
      new Map<string, unknown>([
        ['spec.sizeGiB', 5],
        ['spec.attachments.networkIds', ['n']],
      ]),
      {},
    );
    expect(spec).toEqual({
      sizeGiB: 5,
      attachments: { networkIds: ['n'] },
      storageType: { NFS: { rootSquash: true } },
    });
  });

  it('refuses an invalid tag', () => {
    expect(() => creation(network, 'web', { tag: ['team'] }, new Map(), {})).toThrow(
      'team is not a tag; write it as name=value',
    );
  });
});

describe('the body of an update', () => {
  it('differs from the resource only in the given fields', () => {
    expect(alteration(network, networkRead(), {}, new Map([['spec.dnsNameservers', ['9.9.9.9']]]))).toEqual({
      metadata: {
        name: 'web',
        description: 'front',
        tags: [
          { name: 'team', value: 'a' },
          { name: 'stage', value: 'test' },
        ],
      },
      spec: { dnsNameservers: ['9.9.9.9'], routes: [{ prefix: '10.9.0.0/16', nexthop: '10.0.0.1' }] },
    });
  });

  it('replaces a tag with the same name, and removes named tags', () => {
    const { metadata } = alteration(
      network,
      networkRead(),
      { name: 'www', description: '', tag: ['team=b'], untag: ['stage'] },
      new Map(),
    );
    expect(metadata).toEqual({ name: 'www', tags: [{ name: 'team', value: 'b' }] });
  });

  it('omits a removed value', () => {
    expect(alteration(network, networkRead(), {}, new Map([['spec.routes', undefined]]))).toMatchObject({
      spec: { dnsNameservers: ['1.1.1.1'] },
    });
    expect(alteration(network, networkRead(), {}, new Map([['spec.routes', undefined]]))).not.toHaveProperty(
      'spec.routes',
    );
  });
});

describe('members of a group', () => {
  const object = {
    metadata: { id: 'g', name: 'ops' },
    spec: {
      subjects: [
        { id: 'a@example.com', issuer: 'https://elsewhere' },
        { id: 'b@example.com', issuer: 'uni', email: 'b@example.com' },
      ],
      roleIDs: ['r1'],
      serviceAccountIDs: [],
    },
  };

  it('are added once, and the other members stay', () => {
    expect(
      withMembers(
        group,
        object,
        'add',
        new Map<string, unknown>([
          ['spec.roleIDs', ['r1', 'r2']],
          ['spec.subjects', [{ id: 'c@example.com', issuer: 'uni' }]],
        ]),
      ),
    ).toEqual({
      metadata: { name: 'ops' },
      spec: {
        subjects: [...object.spec.subjects, { id: 'c@example.com', issuer: 'uni' }],
        roleIDs: ['r1', 'r2'],
        serviceAccountIDs: [],
      },
    });
  });

  it('are removed by id, whatever other fields they have', () => {
    const { spec } = withMembers(
      group,
      object,
      'remove',
      new Map<string, unknown>([['spec.subjects', [{ id: 'b@example.com', issuer: 'uni' }]]]),
    );
    expect(spec).toMatchObject({ subjects: [{ id: 'a@example.com' }], roleIDs: ['r1'] });
  });
});
