import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

import { chartParts, roleOf, rulesOf } from '../../packages/unikorn/src/parts/rules.ts';
import { partTable, type PartName } from '../../packages/unikorn/src/parts/table.ts';
import { settings } from '../../packages/unikorn/src/configuration/settings.ts';
import { helmPath } from './build.ts';
import { foreign, permissive } from './chart.fixture.ts';
import { startCluster, type Cluster } from './cluster.fixture.ts';
import { isAllowed } from './network-policies.fixture.ts';

const chart = join(import.meta.dirname, '../../deploy/chart');
const namespace = 'unikorn-test';
const required = ['publicUrl=https://cloud.example.com', 'encryption.existingSecret=encryption'];

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: Record<string, unknown>;
}

let cluster: Cluster;
let helm: string;

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

beforeAll(async () => {
  helm = await helmPath();
  cluster = await startCluster();
  const ours = await readdir(join(chart, 'crds'));
  const definitions = [
    ...foreign.map(([group, version, kind, plural]) => permissive(group, version, kind, plural)),
    ...(await Promise.all(
      ours.map(async (file) => parse(await readFile(join(chart, 'crds', file), 'utf8')) as object),
    )),
  ];
  await Promise.all(definitions.map((definition) => cluster.call('POST', definitionsPath, definition)));
  await cluster.call('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
});
afterAll(() => cluster.stop());

async function template(...sets: readonly string[]): Promise<readonly Manifest[]> {
  const values = sets.flatMap((each) => ['--set-json', each]);
  const base = required.flatMap((each) => ['--set', each]);
  const { stdout } = await promisify(execFile)(
    helm,
    ['template', 'unikorn', chart, '--namespace', namespace, '--kube-version', '1.35', ...base, ...values],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return parseAllDocuments(stdout).flatMap((document) => {
    const manifest = document.toJS() as Manifest | null;
    return manifest ? [manifest] : [];
  });
}

async function refusal(...args: readonly string[]): Promise<string> {
  try {
    await promisify(execFile)(helm, ['template', 'unikorn', chart, '--kube-version', '1.35', ...args], {
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    return String(error);
  }
  throw new Error('it was not refused');
}

/** Plurals of the kinds in the chart. */
const plurals: Readonly<Record<string, string>> = {
  Deployment: 'deployments',
  Service: 'services',
  ServiceAccount: 'serviceaccounts',
  Role: 'roles',
  RoleBinding: 'rolebindings',
  Secret: 'secrets',
  PodDisruptionBudget: 'poddisruptionbudgets',
  NetworkPolicy: 'networkpolicies',
  Ingress: 'ingresses',
  ...Object.fromEntries(foreign.map(([, , kind, plural]) => [kind, plural])),
};

/** Applies an object on the server's side, as `kubectl apply --server-side` does. */
function apply({ apiVersion, kind, metadata, ...rest }: Manifest, dryRun: boolean) {
  const base = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  const query = `fieldManager=test&fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`;
  const path = `${base}/namespaces/${namespace}/${plurals[kind] ?? ''}/${metadata.name}?${query}`;
  const object = { apiVersion, kind, metadata: { ...metadata, namespace }, ...rest };
  return cluster.call('PATCH', path, object, 'application/apply-patch+yaml');
}

const matrix: Readonly<Record<string, readonly string[]>> = {
  'the defaults': [],
  'an Ingress': [
    'ingress={"enabled":true,"className":"nginx","annotations":{"a":"b"},"tlsSecret":"cloud-tls"}',
    'regionSecrets=[{"namespace":"regions","name":"west","existingSecret":"clouds"}]',
  ],
  'a Gateway': ['gateway={"enabled":true,"parents":[{"name":"public","namespace":"gateways"}]}'],
  'given certificates': [
    'certificates={"certManager":{"enabled":false},"existingSecrets":{"identity":"a","region":"b","compute":"c"}}',
  ],
  'an issuer of the cluster': ['certificates.certManager.issuer={"name":"internal","kind":"ClusterIssuer"}'],
  monitoring: [
    'monitoring={"serviceMonitor":{"enabled":true,"labels":{"release":"prometheus"}},"alerts":{"enabled":true}}',
    'networkPolicy.monitoringFrom=[{"namespaceSelector":{"matchLabels":{"name":"monitoring"}}}]',
  ],
  'without policies and budgets': ['networkPolicy.enabled=false', 'podDisruptionBudget.enabled=false'],
  'changed parts and pods': [
    'parts={"region/server-controller":{"replicas":3,"resources":{"limits":{"memory":"2Gi"}},"env":[{"name":"A","value":"b"}]}}',
    'pods={"annotations":{"a":"b"},"labels":{"c":"d"},"nodeSelector":{"e":"f"},"tolerations":[{"operator":"Exists"}],"priorityClassName":"high","spread":false}',
    `image={"repository":"unikorn","digest":"sha256:${'a'.repeat(64)}","pullSecrets":["registry"]}`,
    'configuration={"log":{"level":"debug"},"identity":{"serviceAccountTokenLifetime":30}}',
  ],
  'narrow networks': [
    'networkPolicy={"ingressFrom":[{"podSelector":{}}],"apiServer":{"blocks":["10.0.0.1/32"],"ports":[6443]},"outside":{"blocks":[]},"egress":[{"ports":[{"port":4318}]}]}',
  ],
};

describe('the chart', () => {
  it('passes helm lint', async () => {
    const args = ['lint', '--strict', chart, ...required.flatMap((each) => ['--set', each])];
    expect((await promisify(execFile)(helm, args)).stdout).toContain('0 chart(s) failed');
  });

  it.each(Object.entries(matrix))('with %s is accepted by the API server', async (_name, sets) => {
    const manifests = await template(...sets);
    const answers = await Promise.all(manifests.map((manifest) => apply(manifest, true)));
    const refused = answers.flatMap(({ status, body }, index) =>
      status < 300 ? [] : [[manifests[index]?.kind, manifests[index]?.metadata.name, body]],
    );
    expect(refused).toEqual([]);
    expect(answers.flatMap(({ warning }) => warning ?? [])).toEqual([]);
    const counted = (kind: string) => manifests.filter((manifest) => manifest.kind === kind).length;
    expect(counted('Deployment')).toBe(partTable.length);
  });

  it('is applied for real, and changes nothing when it is applied again', async () => {
    const manifests = await template(...(matrix['an Ingress'] ?? []), ...(matrix['monitoring'] ?? []));
    const versions = async () => {
      const found: string[] = [];
      for (const manifest of manifests) {
        let answer = await apply(manifest, false);
        // A busy machine can be too slow for the deadline of the server.
        while (answer.status === 504) answer = await apply(manifest, false);
        expect([manifest.kind, manifest.metadata.name, answer.status < 300]).toEqual([
          manifest.kind,
          manifest.metadata.name,
          true,
        ]);
        found.push((answer.body as { metadata: { resourceVersion: string } }).metadata.resourceVersion);
      }
      return found;
    };
    const first = await versions();
    expect(await versions()).toEqual(first);
    const kinds = new Set(manifests.map(({ kind }) => kind));
    for (const kind of ['Deployment', 'Ingress', 'NetworkPolicy', 'ServiceMonitor', 'PrometheusRule', 'Certificate'])
      expect(kinds).toContain(kind);
  });

  it.each([
    [[], 'publicUrl is not set'],
    [['--set', required[0] ?? ''], 'encryption.existingSecret is not set'],
    [[...required.flatMap((each) => ['--set', each]), '--set', 'parts.region/api2.replicas=1'], 'there is no part'],
    [
      [...required.flatMap((each) => ['--set', each]), '--set', 'certificates.certManager.enabled=false'],
      'certificates.existingSecrets.identity is not set',
    ],
    [[...required.flatMap((each) => ['--set', each]), '--set', 'replicas.apis=1'], 'replicas'],
    [[...required.flatMap((each) => ['--set', each]), '--set', 'replicas.api=0'], 'replicas'],
  ])('refuses %j', async (args, message) => {
    expect(await refusal(...args)).toContain(message);
  });

  it('starts parts with settings and flags that exist', async () => {
    const known = new Set(['UNIKORN_CONFIG', ...settings.map(({ environment }) => environment)]);
    for (const { kind, spec } of await template()) {
      if (kind !== 'Deployment') continue;
      const { containers } = (spec as { template: { spec: { containers: readonly Container[] } } }).template.spec;
      for (const { args, env } of containers) {
        expect(args.slice(0, 2)).toEqual(['serve', '--only']);
        expect(partTable.map(({ name }) => name)).toContain(args[2]);
        expect(env.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
      }
    }
  });
});

describe('the network policies of the chart', () => {
  interface Workload {
    readonly template: { readonly metadata: { readonly labels: Readonly<Record<string, string>> } };
  }

  /** The labels of the pods of a part. */
  const podsOf = (manifests: readonly Manifest[], part: PartName) => {
    const found = manifests.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === `unikorn-${part.replace('/', '-')}`,
    );
    return { labels: (found?.spec as unknown as Workload).template.metadata.labels };
  };
  const services = { number: 8443, name: 'services' };
  const http = { number: 8080, name: 'http' };
  const elsewhere = { address: '192.0.2.1' };

  it('allow the calls between parts that the parts need, and no others', async () => {
    const manifests = await template();
    const names = partTable.map(({ name }) => name);
    for (const { name, needs } of partTable)
      for (const other of names) {
        const [from, to] = [podsOf(manifests, name), podsOf(manifests, other)];
        expect([name, other, isAllowed(manifests, from, to, services)]).toEqual([name, other, needs.includes(other)]);
        expect([name, other, isAllowed(manifests, from, to, http)]).toEqual([name, other, false]);
      }
  });

  it('allow every part its store and names, and clouds and login providers only to the parts that call them', async () => {
    const manifests = await template();
    for (const part of chartParts() as readonly { name: PartName; outside: boolean }[]) {
      const from = podsOf(manifests, part.name);
      const may = (number: number, protocol?: 'UDP') =>
        isAllowed(manifests, from, elsewhere, { number, ...(protocol ? { protocol } : {}) });
      expect([part.name, may(443), may(6443), may(53), may(53, 'UDP')]).toEqual([part.name, true, true, true, true]);
      expect([part.name, may(5000)]).toEqual([part.name, part.outside]);
    }
  });

  it('allow requests of users to APIs only, and calls of services from nowhere else', async () => {
    const manifests = await template();
    for (const { name } of partTable) {
      const to = podsOf(manifests, name);
      expect([name, isAllowed(manifests, elsewhere, to, http)]).toEqual([name, name.endsWith('/api')]);
      expect([name, isAllowed(manifests, elsewhere, to, services)]).toEqual([name, false]);
    }
  });

  it('narrow all of it where the values say so', async () => {
    const manifests = await template(...(matrix['narrow networks'] ?? []));
    const identity = podsOf(manifests, 'identity/api');
    const may = (address: string, number: number) => isAllowed(manifests, identity, { address }, { number });
    expect([may('10.0.0.1', 6443), may('10.0.0.2', 6443), may('10.0.0.1', 5000), may('10.0.0.2', 4318)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(isAllowed(manifests, elsewhere, identity, http)).toBe(false);
    expect(isAllowed(manifests, podsOf(manifests, 'compute/monitor'), identity, services)).toBe(true);
  });
});

interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string }[];
}

describe('the service account of a part', () => {
  beforeAll(async () => {
    const manifests = await template();
    for (const kind of ['ServiceAccount', 'Role', 'RoleBinding'])
      for (const manifest of manifests.filter((each) => each.kind === kind))
        expect((await apply(manifest, false)).status).toBeLessThan(300);
  });

  async function mayDo(part: PartName, verb: string, group: string, resource: string): Promise<boolean> {
    const [plural, subresource] = resource.split('/');
    const { body } = await cluster.call('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      spec: {
        user: `system:serviceaccount:${namespace}:unikorn-${part.replace('/', '-')}`,
        groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
        resourceAttributes: {
          namespace,
          verb,
          group,
          resource: plural,
          ...(subresource === undefined ? {} : { subresource }),
        },
      },
    });
    return (body as { status: { allowed: boolean } }).status.allowed;
  }

  it.each(partTable.map(({ name }) => name))('%s may do its work and nothing else', async (part) => {
    for (const { apiGroups, resources, verbs } of roleOf(part))
      for (const resource of resources)
        expect([resource, await mayDo(part, verbs[0] ?? '', apiGroups[0] ?? '', resource)]).toEqual([resource, true]);
    for (const { group, plural } of rulesOf(part).reads)
      expect([plural, await mayDo(part, 'update', group, plural)]).toEqual([plural, false]);
    for (const [group, resource] of [
      ['', 'secrets'],
      ['', 'pods'],
      ['apiextensions.k8s.io', 'customresourcedefinitions'],
      ['rbac.authorization.k8s.io', 'roles'],
    ] as const)
      expect([resource, await mayDo(part, 'get', group, resource)]).toEqual([resource, false]);
    expect(chartParts()).toHaveLength(partTable.length);
  });
});
