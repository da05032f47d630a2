import { expect, test } from 'vitest';

import { nounNamed } from '../nouns/index.ts';
import type { Named } from '../nouns/noun.ts';
import { compared } from './compare.ts';
import type { Body } from './manifest.ts';

const network = nounNamed('network');
const loadbalancer = nounNamed('loadbalancer');

function object(parts: { readonly metadata?: object; readonly spec: object; readonly status?: object }): Named {
  return { ...parts, metadata: { id: 'id', name: 'web', ...parts.metadata } };
}

function comparison(noun: typeof network, updatable: readonly string[], current: Named, wanted: Partial<Body>) {
  return compared(noun, { isUpdatable: (key) => updatable.includes(key) }, current, {
    metadata: { name: 'web' },
    spec: {},
    ...wanted,
  });
}

test('fields that a file omits stay unchanged', () => {
  const current = object({
    metadata: { description: 'x', tags: [{ name: 'a', value: '1' }] },
    spec: { dnsNameservers: ['9.9.9.9'], routes: [] },
  });
  expect(comparison(network, ['dnsNameservers', 'routes'], current, {}).isDifferent).toBe(false);
  const { next, isDifferent } = comparison(network, ['dnsNameservers', 'routes'], current, {
    spec: { dnsNameservers: [] },
  });
  expect(isDifferent).toBe(true);
  expect(next).toEqual({
    metadata: { name: 'web', description: 'x', tags: [{ name: 'a', value: '1' }] },
    spec: { dnsNameservers: [], routes: [] },
  });
});

test('null removes a value, and an empty value equals an absent one', () => {
  const current = object({ metadata: { description: 'x' }, spec: { dnsNameservers: [] } });
  const { next, isDifferent } = comparison(network, ['dnsNameservers', 'routes'], current, {
    metadata: { name: 'web', description: null, tags: [] },
    spec: { routes: [] },
  });
  expect(isDifferent).toBe(true);
  expect(next).not.toHaveProperty('metadata.description');
  expect(
    comparison(network, ['dnsNameservers', 'routes'], current, {
      metadata: { name: 'web', tags: [] },
      spec: { routes: [], dnsNameservers: [] },
    }).isDifferent,
  ).toBe(false);
});

test('defaults of a service stay in lists of named elements, and omitted elements are removed', () => {
  const [http, https] = ['http', 'https'].map((name) => ({
    name,
    port: 80,
    idleTimeoutSeconds: 60,
    pool: { members: [{ address: '10.0.0.1', port: 80 }], proxyProtocolV2: false },
  }));
  const current = object({ spec: { listeners: [http, https] } });
  const said = (name: string, port: number) => ({ name, port, pool: { members: [{ address: '10.0.0.1', port: 80 }] } });
  expect(
    comparison(loadbalancer, ['listeners'], current, { spec: { listeners: [said('http', 80), said('https', 80)] } })
      .isDifferent,
  ).toBe(false);
  expect(
    comparison(loadbalancer, ['listeners'], current, { spec: { listeners: [said('https', 443)] } }).next['spec'],
  ).toEqual({ listeners: [{ ...https, port: 443 }] });
});

test('lists without names are replaced as a whole', () => {
  const current = object({
    spec: { rules: [{ direction: 'ingress', protocol: 'tcp', port: 22, prefix: '10.0.0.0/8' }] },
  });
  const { next } = comparison(nounNamed('securitygroup'), ['rules'], current, {
    spec: { rules: [{ direction: 'ingress', protocol: 'tcp', port: 22 }] },
  });
  expect(next['spec']).toEqual({ rules: [{ direction: 'ingress', protocol: 'tcp', port: 22 }] });
});

test('references are a set', () => {
  const current = object({ spec: { groupIDs: ['a', 'b'] } });
  expect(comparison(nounNamed('project'), ['groupIDs'], current, { spec: { groupIDs: ['b', 'a'] } }).isDifferent).toBe(
    false,
  );
  expect(comparison(nounNamed('project'), ['groupIDs'], current, { spec: { groupIDs: ['b'] } }).isDifferent).toBe(true);
});

test('fields of the creation are compared with the resource, wherever it shows them', () => {
  const current = object({
    metadata: { projectId: 'p' },
    spec: { dnsNameservers: [] },
    status: { prefix: '10.1.0.0/24', reservations: { prefixLength: 25, providerReservedPrefixLength: 28 } },
  });
  const same = { projectId: 'p', prefix: '10.1.0.0/24', reservations: { prefixLength: 25 }, untold: 'x' };
  expect(comparison(network, ['dnsNameservers'], current, { spec: same }).fixed).toEqual([]);
  expect(
    comparison(network, ['dnsNameservers'], current, { spec: { ...same, prefix: '10.2.0.0/24', projectId: 'q' } })
      .fixed,
  ).toEqual([
    { path: 'spec.projectId', is: 'p', said: 'q' },
    { path: 'spec.prefix', is: '10.1.0.0/24', said: '10.2.0.0/24' },
  ]);
});

test('a resource without update cannot be changed', () => {
  const current = object({ spec: { publicKey: 'k' } });
  const { isDifferent, fixed } = comparison(nounNamed('sshca'), [], current, {
    metadata: { name: 'web', description: 'new' },
    spec: { publicKey: 'k' },
  });
  expect({ isDifferent, fixed }).toEqual({
    isDifferent: false,
    fixed: [{ path: 'metadata.description', is: '', said: 'new' }],
  });
});
