import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, vi } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

import type { CustomResourceDefinition } from '@unikorn/core/kinds';

import type { PartName } from '../../packages/unikorn/src/parts/table.ts';
import { helmPath } from './build.ts';
import type { Cluster } from './cluster.fixture.ts';

const chart = join(import.meta.dirname, '../../deploy/chart');
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Kinds of other projects that the chart uses. The test server accepts any object of them. */
export const foreign = [
  ['cert-manager.io', 'v1', 'Certificate', 'certificates'],
  ['cert-manager.io', 'v1', 'Issuer', 'issuers'],
  ['monitoring.coreos.com', 'v1', 'ServiceMonitor', 'servicemonitors'],
  ['monitoring.coreos.com', 'v1', 'PrometheusRule', 'prometheusrules'],
  ['gateway.networking.k8s.io', 'v1', 'HTTPRoute', 'httproutes'],
] as const;

/** The definition of such a kind. */
export function permissive(group: string, version: string, kind: string, plural: string) {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** The objects of the chart with its default values, and these. */
export async function templateOf(namespace: string, ...sets: readonly string[]): Promise<readonly Manifest[]> {
  const required = ['publicUrl=https://cloud.example.com', 'encryption.existingSecret=encryption'];
  const values = [...required, ...sets].flatMap((each) => ['--set', each]);
  const args = ['template', 'unikorn', chart, '--namespace', namespace, '--kube-version', '1.35', ...values];
  const { stdout } = await promisify(execFile)(await helmPath(), args, { maxBuffer: 64 * 1024 * 1024 });
  return parseAllDocuments(stdout).flatMap((document) => {
    const manifest = document.toJS() as Manifest | null;
    return manifest ? [manifest] : [];
  });
}

const plurals: Readonly<Record<string, string>> = {
  ServiceAccount: 'serviceaccounts',
  Role: 'roles',
  RoleBinding: 'rolebindings',
};

/** Creates the namespace, the custom resources, and the service accounts of the chart with their rights. */
export async function installRights(
  cluster: Cluster,
  namespace: string,
  manifests: readonly Manifest[],
): Promise<void> {
  for (const file of await readdir(join(chart, 'crds'))) {
    const definition = parse(await readFile(join(chart, 'crds', file), 'utf8')) as CustomResourceDefinition;
    await cluster.call('POST', definitionsPath, definition);
  }
  await vi.waitFor(
    async () => {
      const { body } = await cluster.call('GET', definitionsPath);
      expect(JSON.stringify(body)).not.toContain('"type":"Established","status":"False"');
    },
    { timeout: 30_000 },
  );
  await cluster.call('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  for (const manifest of manifests) {
    const plural = plurals[manifest.kind];
    if (plural === undefined) continue;
    const base = manifest.apiVersion === 'v1' ? '/api/v1' : `/apis/${manifest.apiVersion}`;
    const made = await cluster.call('POST', `${base}/namespaces/${namespace}/${plural}`, manifest);
    expect(made.status).toBe(201);
  }
}

/** A token of the service account of a part. */
export async function tokenOf(cluster: Cluster, namespace: string, part: PartName): Promise<string> {
  const { body } = await cluster.call(
    'POST',
    `/api/v1/namespaces/${namespace}/serviceaccounts/unikorn-${part.replace('/', '-')}/token`,
    { spec: { expirationSeconds: 3600 } },
  );
  return (body as { status: { token: string } }).status.token;
}
