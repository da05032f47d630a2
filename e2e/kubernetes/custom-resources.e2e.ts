import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';

import { admit, type Candidate, type CustomResourceDefinition, type Kind } from '@unikorn/core/kinds';
import { regionKinds } from '@unikorn/region';

import { admitted, fixed, refused } from '../../packages/region/src/kinds/cases.fixture.ts';
import { fieldLimits } from '@unikorn/core/limits';
import { listener, policy, specimen, type Name } from '../../packages/region/src/kinds/specimens.fixture.ts';
import { startCluster, type Answer, type Cluster } from './cluster.fixture.ts';
import { definedKinds, specimenOf } from './specimens.fixture.ts';

const folder = join(import.meta.dirname, '../../deploy/crds');
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const files = await readdir(folder);
let cluster: Cluster;
const answers = new Map<string, Answer>();

beforeAll(async () => {
  cluster = await startCluster();
  for (const file of files) {
    const definition = parse(await readFile(join(folder, file), 'utf8')) as CustomResourceDefinition;
    const answer = await cluster.call('POST', definitionsPath, definition);
    answers.set(file, answer);
    if (answer.status !== 201) continue;
    await vi.waitFor(
      async () => {
        expect(await conditions(definition.metadata.name)).toMatchObject({ Established: 'True' });
      },
      { timeout: 10_000 },
    );
  }
});
afterAll(() => cluster.stop());

async function conditions(definition: string): Promise<Record<string, string>> {
  const { body } = await cluster.call('GET', `${definitionsPath}/${definition}`);
  const { status } = body as { status?: { conditions?: readonly { type: string; status: string }[] } };
  return Object.fromEntries((status?.conditions ?? []).map(({ type, status }) => [type, status]));
}

function kindNamed(name: Name): Kind {
  const kind = regionKinds.find((candidate) => candidate.kind === name);
  if (!kind) throw new Error(`there is no kind ${name}`);
  return kind;
}

const dryRun = '?dryRun=All';

function collection({ apiVersion, plural }: Kind): string {
  return `/apis/${apiVersion}/namespaces/default/${plural}`;
}

function create(kind: Kind, candidate: Candidate, query = ''): Promise<Answer> {
  return cluster.call('POST', collection(kind) + query, { apiVersion: kind.apiVersion, kind: kind.kind, ...candidate });
}

/** Replaces an existing object with another one of the same name. */
async function replace(kind: Kind, candidate: Candidate, query = ''): Promise<Answer> {
  const path = `${collection(kind)}/${candidate.metadata.name}`;
  const { body } = await cluster.call('GET', path);
  const { resourceVersion } = (body as { metadata: { resourceVersion: string } }).metadata;
  return cluster.call('PUT', path + query, {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    ...candidate,
    metadata: { ...candidate.metadata, resourceVersion },
  });
}

function refusal({ status, body }: Answer): string {
  expect(status).toBe(422);
  return (body as { message: string }).message;
}

/** The path in the notation of Kubernetes: `/spec/rules/0/port` is `spec.rules[0].port`. */
function placeOf(reason: string): string {
  return reason.startsWith('/')
    ? reason
        .slice(1)
        .replaceAll('/', '.')
        .replace(/\.(\d+)(?=\.|$)/g, '[$1]')
    : reason;
}

describe('every custom resource definition', () => {
  it.each(files)('%s is accepted without a warning, and its schema is structural', async (file) => {
    expect(answers.get(file)).toMatchObject({ status: 201, warning: undefined });
    expect(await conditions(file.replace(/\.yaml$/, ''))).toEqual({ NamesAccepted: 'True', Established: 'True' });
  });

  it('is of a kind with a specimen', () => {
    expect(definedKinds.map(({ id }) => `${id}.yaml`).toSorted()).toEqual(files.toSorted());
  });
});

it.each(definedKinds.map((kind) => [kind.kind, kind] as const))(
  '%s is stored as it is sent, and may be written again',
  async (_, kind) => {
    const candidate = specimenOf(kind);
    admit(kind, candidate);
    const created = await create(kind, candidate);
    expect(created).toMatchObject({ status: 201, warning: undefined });
    expect((created.body as Candidate).spec).toEqual(candidate.spec);
    expect((await replace(kind, candidate)).status).toBe(200);
  },
);

describe('what our own engine refuses, Kubernetes refuses too, for the same field or with the same message', () => {
  it.each(refused)('%s %j', async (name, change, reason) => {
    const candidate = specimen(name, change);
    expect(refusal(await create(kindNamed(name), { ...candidate, metadata: { name: 'other' } }, dryRun))).toContain(
      placeOf(reason),
    );
  });

  it.each(admitted)('but %s %j is not refused', async (name, change) => {
    expect(
      (await create(kindNamed(name), { ...specimen(name, change), metadata: { name: 'other' } }, dryRun)).status,
    ).toBe(201);
  });

  it.each(fixed)('%s %j of something that exists', async (name, change) => {
    expect(refusal(await replace(kindNamed(name), specimen(name, change), dryRun))).toContain(
      'cannot be changed after creation',
    );
  });

  it('a volume that shrinks, and a listener with another protocol or port', async () => {
    expect(refusal(await replace(kindNamed('Volume'), specimen('Volume', { size: 1023 }), dryRun))).toContain(
      'cannot shrink',
    );
    expect(
      refusal(
        await replace(
          kindNamed('LoadBalancer'),
          specimen('LoadBalancer', { listeners: [{ ...listener, port: 80 }] }),
          dryRun,
        ),
      ),
    ).toContain('cannot be changed');
  });

  it('another time at which a server first ran', async () => {
    const path = `${collection(kindNamed('Server'))}/${specimen('Server').metadata.name}/status${dryRun}`;
    const write = (provisionedAt: string | null, target = path) =>
      cluster.call('PATCH', target, { status: { provisionedAt } }, 'application/merge-patch+json');
    expect((await write('2026-01-01T00:00:00Z', path.replace(dryRun, ''))).status).toBe(200);
    expect(refusal(await write('2026-01-02T00:00:00Z'))).toContain('must not change once it is set');
    expect(refusal(await write(null))).toContain('must not change once it is set');
  });
});

function times<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

describe('the largest object of a kind costs its rules no more than Kubernetes allows', () => {
  const members = times(fieldLimits.poolMembers, (index) => ({ address: `10.0.0.${index}`, port: 80 }));
  const allowedCIDRs = times(fieldLimits.allowedCidrs, (index) => `10.0.${index}.0/24`);
  const segments = times(64, (index) => ({ startId: index + 1, endId: index + 1 }));
  const openstack = {
    endpoint: 'https://keystone',
    serviceAccountSecret: { namespace: 'a', name: 'b' },
    network: { providerNetworks: { vlan: { segments } } },
  };

  it.each<[Name, object]>([
    [
      'Region',
      {
        provider: 'openstack',
        openstack,
        security: { organizations: times(fieldLimits.organizations, (index) => ({ id: `organization-${index}` })) },
      },
    ],
    [
      'Network',
      {
        dnsNameservers: times(fieldLimits.nameservers, (index) => `10.0.0.${index}`),
        routes: times(fieldLimits.routes, (index) => ({ prefix: `10.9.${index}.0/24`, nextHop: '10.0.0.9' })),
      },
    ],
    [
      'SecurityGroup',
      {
        rules: times(fieldLimits.securityRules, (index) => ({
          direction: 'ingress',
          protocol: 'tcp',
          port: { range: { start: index + 1, end: 65_535 } },
          cidr: '0.0.0.0/0',
        })),
      },
    ],
    [
      'LoadBalancer',
      {
        listeners: times(fieldLimits.listeners, (index) => ({
          ...listener,
          name: `listener-${index}`,
          port: index + 1,
          allowedCIDRs,
          pool: { ...listener.pool, members },
        })),
      },
    ],
    [
      'Server',
      {
        securityGroups: times(fieldLimits.securityGroups, (index) => ({ id: `group-${index}` })),
        volumes: times(fieldLimits.volumes, (index) => ({ id: `volume-${index}` })),
      },
    ],
    [
      'FileStorage',
      {
        attachments: times(fieldLimits.attachments, (index) => ({ networkID: `network-${index}` })),
        snapshotPolicies: times(fieldLimits.snapshotPolicies, (index) => ({ ...policy, name: `policy-${index}` })),
      },
    ],
  ])('%s', async (name, change) => {
    const largest = { ...specimen(name, change), metadata: { name: 'largest' } };
    expect(await create(kindNamed(name), largest)).toMatchObject({ status: 201 });
    expect(
      await replace(kindNamed(name), { ...largest, metadata: { name: 'largest', labels: { again: 'yes' } } }),
    ).toMatchObject({ status: 200 });
  });
});
