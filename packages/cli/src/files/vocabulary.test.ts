import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { nouns } from '../nouns/index.ts';
import { mistakesIn } from './document.ts';
import { parseManifests } from './manifest.ts';
import { vocabulariesOf } from './vocabulary.ts';

const services = { identity: read('identity'), region: read('region'), compute: read('compute') };

function read(service: string) {
  return vocabulariesOf(
    JSON.parse(readFileSync(new URL(`../../../../docs/reference/openapi/${service}.json`, import.meta.url), 'utf8')),
  );
}

function mistakes(text: string) {
  const { manifests } = parseManifests([{ name: 'stack.yaml', text }]);
  return manifests
    .flatMap((manifest) => mistakesIn(manifest, services[manifest.noun.service](manifest.noun)))
    .map(({ at, message }) => `${at}: ${message}`);
}

test('names are accepted for ids, and the scope of the context can be omitted', () => {
  expect(
    mistakes(`kind: instance
metadata: { name: web-1 }
spec:
  networkId: web
  flavorId: small
  imageId: debian
  networking: { securityGroups: [web] }
---
kind: network
metadata: { name: web }
spec: { prefix: 10.1.0.0/24 }
---
kind: loadbalancer
metadata: { name: front }
spec:
  networkId: web
  listeners: [{ name: http, protocol: tcp, port: 80, pool: { members: [{ address: web-1, port: 80 }] } }]
---
kind: project
metadata: { name: shop }
spec: { organizationId: acme, groupIDs: [developers] }
---
kind: user
spec: { subject: dora@example.com }
`),
  ).toEqual([]);
});

test('unknown fields at any depth are mistakes, and so are missing required fields', () => {
  expect(
    mistakes(`kind: network
metadata: { name: web, tag: x }
spec:
  prefx: 10.1.0.0/24
  routes:
    - prefix: 10.9.0.0/16
      nexthop: 10.1.0.1
      metric: 1
---
kind: loadbalancer
metadata: { name: front }
spec:
  networkId: web
  listeners:
    - { name: http, protocol: http, port: "80", pool: { members: [] } }
`).toSorted(),
  ).toEqual([
    'stack.yaml:15: spec.listeners.0.port must be integer',
    'stack.yaml:15: spec.listeners.0.protocol must be one of tcp, udp',
    'stack.yaml:2: metadata of a network has no tag; did you mean tags?',
    'stack.yaml:3: spec needs prefix',
    'stack.yaml:4: spec of a network has no prefx; did you mean prefix?',
    'stack.yaml:8: spec.routes.0 of a network has no metric; it has prefix, nexthop',
  ]);
});

test.each(nouns.filter(({ verbs }) => verbs.includes('create')).map((noun) => [noun.name, noun] as const))(
  'the schema of a service for a %s contains all fields of its commands',
  (_name, noun) => {
    const vocabulary = services[noun.service](noun);
    const onUpdate = noun.fields.filter(({ on }) => on !== 'create').map(({ path }) => path.split('.')[1] ?? '');
    if (noun.verbs.includes('update')) expect(onUpdate.filter((key) => !vocabulary.isUpdatable(key))).toEqual([]);
    expect(vocabulary.isUpdatable('nothingOfTheSort')).toBe(false);
  },
);
