import fc from 'fast-check';
import { expect, it } from 'vitest';

import { flavorsOf, type NodeClass } from './flavors.ts';
import { nodeClassLabel, type Node } from './nodes.ts';

const large: NodeClass = { id: 'large', name: 'g.large', cpu: { count: 64 }, memory: '512Gi', disk: '2Ti' };

function node(nodeClass: string, status?: Node['status'], labels: Readonly<Record<string, string>> = {}): Node {
  return { metadata: { labels: { [nodeClassLabel]: nodeClass, ...labels } }, ...(status ? { status } : {}) };
}

it('a class is a flavor with the description of the operator', () => {
  const gpu = { vendor: 'NVIDIA', model: 'H100', physicalCount: 8, logicalCount: 16, memory: '40Gi' } as const;
  const described: NodeClass = { ...large, cpu: { count: 64, family: 'EPYC', architecture: 'x86_64' }, gpu };
  expect(
    flavorsOf([described], [node('large', { capacity: { cpu: '32' }, nodeInfo: { architecture: 'arm64' } })]),
  ).toEqual([
    {
      id: 'large',
      name: 'g.large',
      architecture: 'x86_64',
      cpus: 64,
      cpuFamily: 'EPYC',
      memory_bytes: 512 * 2 ** 30,
      disk_gb: 2199,
      gpu: { vendor: 'NVIDIA', model: 'H100', physicalCount: 8, logicalCount: 16, memory_bytes: 40 * 2 ** 30 },
      baremetal: false,
      pinnedOnly: false,
    },
  ]);
});

it('the nodes provide the values that the operator omitted', () => {
  const described: NodeClass = { ...large, cpu: {} };
  const only = (...nodes: readonly Node[]) =>
    flavorsOf([described], nodes).map(({ architecture, cpus }) => [architecture, cpus]);
  expect(only(node('large', { capacity: { cpu: '8' } }, { 'kubernetes.io/arch': 'arm64' }))).toEqual([['aarch64', 8]]);
  expect(only(node('large', { capacity: { cpu: '7910m' }, nodeInfo: { architecture: 'arm64' } }))).toEqual([
    ['aarch64', 7],
  ]);
  expect(
    only(node('large', { capacity: { cpu: '96' } }), node('large', { capacity: { cpu: '64' } }), node('large')),
  ).toEqual([['x86_64', 64]]);
  expect(only(node('large', { capacity: { cpu: '8' }, nodeInfo: { architecture: 's390x' } }))).toEqual([['x86_64', 8]]);
});

it('a class with an unknown number of CPUs is not offered', () => {
  for (const cpu of [undefined, '', '0', '500m', 'many']) {
    expect(flavorsOf([{ ...large, cpu: {} }], [node('large', { capacity: cpu === undefined ? {} : { cpu } })])).toEqual(
      [],
    );
  }
});

it('exactly the described classes that have a node are flavors, once each and in the order of the description', () => {
  const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'));
  fc.assert(
    fc.property(ids, fc.array(fc.constantFrom<string>('a', 'b', 'c', 'x', '')), (described, labelled) => {
      const nodes: readonly Node[] = [{ metadata: {} }, ...labelled.map((id) => node(id))];
      const offered = flavorsOf(
        described.map((id) => ({ ...large, id })),
        nodes,
      ).map(({ id }) => id);
      expect(offered).toEqual(described.filter((id) => labelled.includes(id)));
    }),
  );
});
