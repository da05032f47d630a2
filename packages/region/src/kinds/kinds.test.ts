import { describe, expect, it } from 'vitest';

import { isProblem } from '@unikorn/core/errors';
import {
  admit,
  customResourceDefinition,
  definitions,
  type Candidate,
  type Draft,
  type Kind,
  type Resource,
} from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { virtualWorld } from '@unikorn/core/testing';

import * as kinds from './index.ts';
import { admitted, fixed, refused } from './cases.fixture.ts';
import { listener, specimen, specimens, type Name } from './specimens.fixture.ts';

/** Without the kinds of core. */
const regionKinds = kinds.regionKinds.filter(({ group }) => group === kinds.Region.group);

function kindNamed(name: Name): Kind {
  const kind = regionKinds.find((candidate) => candidate.kind === name);
  if (!kind) throw new Error(`there is no kind ${name}`);
  return kind;
}

function stored({ apiVersion, kind }: Kind, { metadata, spec, status }: Candidate): Resource {
  const stamps = { uid: 'u', resourceVersion: '1', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' };
  return { apiVersion, kind, metadata: { ...metadata, ...stamps }, spec, status } as Resource;
}

/** The reason why a kind refuses a candidate, or that it accepts it. */
function verdict(name: Name, candidate: Candidate, before?: Candidate): string {
  const kind = kindNamed(name);
  try {
    admit(kind, candidate, before && stored(kind, before));
  } catch (error) {
    if (isProblem(error, 'invalid_object')) return error.message;
    throw error;
  }
  return 'admitted';
}

const names = Object.keys(specimens) as Name[];

describe('every kind', () => {
  it('is listed once and has a specimen', () => {
    expect(regionKinds.map(({ kind }) => kind).toSorted()).toEqual(names.toSorted());
    expect(definitions(regionKinds)).toHaveLength(regionKinds.length);
  });

  it.each(names)('%s admits its specimen, unchanged too, and derives a custom resource', (name) => {
    expect(verdict(name, specimen(name), specimen(name))).toBe('admitted');
    expect(customResourceDefinition(kindNamed(name)).metadata.name).toBe(kindNamed(name).id);
  });
});

describe('invalid objects', () => {
  it.each(refused)('%s %j', (name, change, reason) => {
    expect(verdict(name, specimen(name, change))).toContain(reason);
  });

  it.each(admitted)('but %s %j is not', (name, change) => {
    expect(verdict(name, specimen(name, change))).toBe('admitted');
  });
});

describe('immutable fields', () => {
  it.each(fixed)('%s %j', (name, change) => {
    expect(verdict(name, specimen(name, change), specimen(name))).toContain('cannot be changed after creation');
  });

  it.each<Name>([
    'Network',
    'SecurityGroup',
    'Server',
    'LoadBalancer',
    'Volume',
    'SSHCertificateAuthority',
    'FileStorage',
    'Identity',
  ])('the project of %s', (name) => {
    expect(verdict(name, specimen(name, {}, { [labels.project]: 'other' }), specimen(name))).toContain(
      'cannot be changed after creation',
    );
  });

  it.each<Name>(['SecurityGroup', 'Server', 'LoadBalancer', 'Volume'])('the network of %s', (name) => {
    expect(verdict(name, specimen(name, {}, { [labels.network]: 'other' }), specimen(name))).toContain(
      'cannot be changed after creation',
    );
  });

  it('the name of a server and of nothing else', () => {
    const keeping = names.filter(
      (name) => verdict(name, specimen(name, {}, { [labels.name]: 'other' }), specimen(name)) !== 'admitted',
    );
    expect(keeping).toEqual(['Server']);
  });

  it('what a listener of that name serves', () => {
    const changed = [
      { protocol: 'udp', idleTimeoutSeconds: undefined },
      { port: 80 },
      { pool: { ...listener.pool, proxyProtocolV2: true } },
    ].map((change) => JSON.parse(JSON.stringify({ ...listener, ...change })) as object);
    for (const other of changed)
      expect(
        verdict('LoadBalancer', specimen('LoadBalancer', { listeners: [other] }), specimen('LoadBalancer')),
      ).toContain('cannot be changed');
    expect(
      verdict(
        'LoadBalancer',
        specimen('LoadBalancer', { listeners: [{ ...listener, name: 'renamed' }] }),
        specimen('LoadBalancer'),
      ),
    ).toBe('admitted');
  });

  it('the moment a server first ran', () => {
    const ran = { ...specimen('Server'), status: { provisionedAt: '2026-01-01T00:00:00Z' } };
    expect(verdict('Server', ran, specimen('Server'))).toBe('admitted');
    expect(verdict('Server', { ...ran, status: { ...ran.status, phase: 'Stopped' } }, ran)).toBe('admitted');
    expect(verdict('Server', { ...ran, status: {} }, ran)).toContain('must not change once it is set');
    expect(verdict('Server', { ...ran, status: { provisionedAt: '2026-01-02T00:00:00Z' } }, ran)).toContain(
      'must not change once it is set',
    );
  });

  it('the size of a volume, unless it grows', () => {
    expect(verdict('Volume', specimen('Volume', { size: 2048 }), specimen('Volume'))).toBe('admitted');
    expect(verdict('Volume', specimen('Volume', { size: 1023 }), specimen('Volume'))).toContain('cannot shrink');
  });
});

it('the real engine stores every kind and keeps its rules', async () => {
  const store = openMemoryStore({ world: virtualWorld(1), kinds: regionKinds });
  for (const name of names) {
    const created = await store.create(kindNamed(name), specimen(name) as Draft);
    expect(created.spec).toEqual(specimens[name]);
  }
  await expect(
    store.create(kinds.Network, { metadata: { name: 'small' }, spec: { prefix: '10.0.0.0/25', dnsNameservers: [] } }),
  ).rejects.toThrow('must not be smaller than /24');
});

it.each([
  [{}, 'identityKeypair'],
  [{ sshCertificateAuthorityID: 'a' }, 'ca'],
  [{ sshInjection: 'none' }, 'none'],
] as const)('a server with %j gets the ssh injection %s', (spec, resolved) => {
  expect(kinds.resolvedSshInjection(spec)).toBe(resolved);
});
