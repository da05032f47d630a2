import picocolors from 'picocolors';
import { expect, test } from 'vitest';

import { renderDifference } from './render-diff.ts';

const plain = picocolors.createColors(false);

test('a change is shown as removed and added lines, with context', () => {
  const before = { kind: 'network', metadata: { name: 'web' }, spec: { dnsNameservers: ['9.9.9.9'] } };
  const after = { ...before, spec: { dnsNameservers: ['1.1.1.1'] } };
  expect(renderDifference({ label: 'network/web', at: 'stack.yaml:3', before, after }, plain)).toMatchInlineSnapshot(`
    "--- network/web (current)
    +++ network/web (stack.yaml:3)
    @@ -3,4 +3,4 @@
       name: web
     spec:
       dnsNameservers:
    -    - 9.9.9.9
    +    - 1.1.1.1
    "
  `);
});

test('a new resource is shown as a whole', () => {
  expect(
    renderDifference(
      {
        label: 'network/web',
        at: 'stack.yaml:3',
        before: undefined,
        after: { kind: 'network', metadata: { name: 'web' } },
      },
      plain,
    ),
  ).toMatchInlineSnapshot(`
    "--- network/web (does not exist)
    +++ network/web (stack.yaml:3)
    @@ -1,0 +1,3 @@
    +kind: network
    +metadata:
    +  name: web
    "
  `);
});
