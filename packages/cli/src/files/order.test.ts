import { expect, test } from 'vitest';

import { parseManifests } from './manifest.ts';
import { labelOf, ordered, waves } from './order.ts';

function orderOf(text: string) {
  return ordered(parseManifests([{ name: 'stack.yaml', text }]).manifests);
}

const stack = `
kind: loadbalancer
metadata: { name: front }
spec: { networkId: web, listeners: [{ name: http, pool: { members: [{ address: web-1 }, { address: 10.0.0.9 }] } }] }
---
kind: instance
metadata: { name: web-1 }
spec: { networkId: web, flavorId: small, networking: { securityGroups: [web] } }
---
kind: securitygroup
metadata: { name: web }
spec: { networkId: web }
---
kind: network
metadata: { name: web }
spec: { projectId: shop, regionId: north }
---
kind: project
metadata: { name: shop }
`;

test('every resource comes after its references, and references stay within the same scope', () => {
  const { linked, mistakes } = orderOf(stack);
  expect(mistakes).toEqual([]);
  expect(waves(linked).map((wave) => wave.map(({ manifest }) => labelOf(manifest)))).toEqual([
    ['project/shop'],
    ['network/web'],
    ['securitygroup/web'],
    ['instance/web-1'],
    ['loadbalancer/front'],
  ]);
  expect(waves(linked).flat()).toEqual(linked);
  // A member with an address refers to nothing.
  expect(linked.at(-1)?.links.map(({ reference }) => reference.text)).toEqual(['web', 'web-1']);
});

test('independent resources stay in the order of the files', () => {
  const { linked } = orderOf(
    ['c', 'a', 'b'].map((name) => `kind: network\nmetadata: { name: ${name} }`).join('\n---\n'),
  );
  expect(linked.map(({ manifest }) => manifest.name)).toEqual(['c', 'a', 'b']);
});

test('circular dependencies are a mistake that shows the circle', () => {
  const { mistakes } = orderOf(`
kind: group
metadata: { name: sellers }
spec: { subjects: [dora@example.com] }
---
kind: user
spec: { subject: dora@example.com, groupIDs: [sellers] }
`);
  expect(mistakes).toEqual([
    {
      at: 'stack.yaml:2',
      message:
        'these resources depend on each other in a circle: group/sellers → user/dora@example.com → group/sellers',
    },
  ]);
});

test('a resource that is defined twice is a mistake, and the same name in another scope is not', () => {
  const network = (region: string) => `kind: network\nmetadata: { name: web }\nspec: { regionId: ${region} }\n`;
  expect(orderOf([network('north'), network('south')].join('---\n')).mistakes).toEqual([]);
  expect(orderOf([network('north'), network('north')].join('---\n')).mistakes).toEqual([
    { at: 'stack.yaml:5', message: 'network/web is defined twice; the first definition is at stack.yaml:1' },
  ]);
});

test('of several with a name the one in the same scope is used, and an ambiguous one is a mistake', () => {
  const files = (group: string) => `
kind: network
metadata: { name: a }
---
kind: network
metadata: { name: b }
---
kind: securitygroup
metadata: { name: web }
spec: { networkId: a }
---
kind: securitygroup
metadata: { name: web }
spec: { networkId: b }
---
${group}`;
  const { linked, mistakes } = orderOf(
    files('kind: instance\nmetadata: { name: web-1 }\nspec: { networkId: b, networking: { securityGroups: [web] } }'),
  );
  expect(mistakes).toEqual([]);
  expect(linked.at(-1)?.links.at(-1)?.target?.body.spec['networkId']).toBe('b');
  expect(
    orderOf(files('kind: instance\nmetadata: { name: web-1 }\nspec: { networking: { securityGroups: [web] } }'))
      .mistakes,
  ).toEqual([
    {
      at: 'stack.yaml:18',
      message: 'several securitygroups in the files are called web; it is not clear which one is meant',
    },
  ]);
});
