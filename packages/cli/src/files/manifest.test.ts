import { expect, test } from 'vitest';

import { parseManifests } from './manifest.ts';

function parsed(text: string) {
  return parseManifests([{ name: 'stack.yaml', text }]);
}

test('a file has several resources, in YAML or JSON, and every part of them has a position', () => {
  const { manifests, flawed } = parsed(`# comment
kind: network
metadata: { name: web }
spec:
  prefix: 10.1.0.0/24
  routes:
    - prefix: 10.9.0.0/16
      nexthop: 10.1.0.1
---
---
{ "kind": "instance", "metadata": { "name": "web-1" }, "spec": { "networkId": "web" } }
`);
  expect(flawed).toEqual([]);
  expect(manifests.map(({ noun, name, body }) => [noun.name, name, body.spec['networkId']])).toEqual([
    ['network', 'web', undefined],
    ['instance', 'web-1', 'web'],
  ]);
  const [network, instance] = manifests;
  expect(
    ['', 'spec.prefix', 'spec.routes', 'spec.routes.0.nexthop', 'spec.dnsNameservers'].map((path) => network?.at(path)),
  ).toEqual(['stack.yaml:2', 'stack.yaml:5', 'stack.yaml:6', 'stack.yaml:8', 'stack.yaml:4']);
  expect(instance?.at('spec.networkId')).toBe('stack.yaml:11');
});

test('a kind can be written as in commands, and tags can be a map', () => {
  const { manifests } = parsed('kind: Networks\nmetadata: { name: web, tags: { team: web, tier: 1 } }');
  expect(manifests[0]?.noun.name).toBe('network');
  expect(manifests[0]?.body.metadata['tags']).toEqual([
    { name: 'team', value: 'web' },
    { name: 'tier', value: '1' },
  ]);
});

test('users are identified by their subject', () => {
  expect(parsed('kind: user\nspec: { subject: dora@example.com }').manifests[0]?.name).toBe('dora@example.com');
});

const bomb = [
  'kind: network',
  'metadata: { name: web }',
  'spec:',
  '  a: &a [x, x, x, x, x, x, x, x, x, x]',
  ...['b', 'c', 'd', 'e'].map(
    (name, index) => `  ${name}: &${name} [${Array.from({ length: 10 }, () => `*${'abcd'.charAt(index)}`).join(', ')}]`,
  ),
].join('\n');

test.each([
  ['kind: nework\nmetadata: { name: web }', 'stack.yaml:1', 'kind nework does not exist; did you mean network?'],
  ['\nkind: flavor\nmetadata: { name: web }', 'stack.yaml:2', 'flavors cannot be created from files'],
  ['metadata: { name: web }', 'stack.yaml:1', 'kind is missing: one of '],
  [
    'kind: network\nmetadata:\n  description: x',
    'stack.yaml:2',
    'metadata.name must be the name of the network, as text',
  ],
  [
    'kind: network\nmetadata: { name: web }\nstatus: {}',
    'stack.yaml:3',
    'a resource has kind, metadata and spec, and no status',
  ],
  ['- 5', 'stack.yaml:1', 'a resource has kind, metadata and spec'],
  ['- kind: network\n- kind: net\n', 'stack.yaml:1', 'metadata.name must be the name of the network'],
  ['kind: network\nspec: [\n', 'stack.yaml:', 'Flow sequence'],
  ['kind: network\nkind: network', 'stack.yaml:2', 'Map keys must be unique'],
  [
    'kind: network\nspec: {}\nmetadata: *m',
    'stack.yaml:3',
    '*m is undefined: there is no &m before it in the same document',
  ],
  ['kind: network\nmetadata: &m\n  name: web\n  tags: *m', 'stack.yaml:4', '*m refers to itself'],
  [bomb, 'stack.yaml:1', 'its aliases expand to too much data'],
])('a mistake is reported with its position: %s', (text, at, message) => {
  const { manifests, flawed } = parsed(text);
  expect(manifests).toEqual([]);
  expect(flawed[0]?.mistakes[0]?.at).toContain(at);
  expect(flawed[0]?.mistakes[0]?.message).toContain(message);
});

test('a list of resources, as `list -o yaml` prints it, is several resources', () => {
  const { manifests, flawed } = parsed(
    '- kind: network\n  metadata: { name: a }\n- kind: network\n  metadata: { name: b }\n',
  );
  expect(flawed).toEqual([]);
  expect(manifests.map((each) => [each.name, each.at(''), each.at('metadata.name')])).toEqual([
    ['a', 'stack.yaml:1', 'stack.yaml:2'],
    ['b', 'stack.yaml:3', 'stack.yaml:4'],
  ]);
});

test('a resource as the API returns it is read as the file that creates it', () => {
  const { manifests, flawed } = parsed(`kind: network
metadata: { id: n1, name: web, projectId: p1, organizationId: o1, creationTime: 2026-01-01T00:00:00Z }
spec: { dnsNameservers: [9.9.9.9], invented: true }
status: { prefix: 10.0.0.0/24, regionId: r1, reservations: {} }
`);
  expect(flawed).toEqual([]);
  expect(manifests[0]?.body).toEqual({
    metadata: { name: 'web' },
    spec: { organizationId: 'o1', projectId: 'p1', regionId: 'r1', prefix: '10.0.0.0/24', dnsNameservers: ['9.9.9.9'] },
  });
});
