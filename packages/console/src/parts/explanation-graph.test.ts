import { expect, it } from 'vitest';

import { columnsOf, heldUp, keyOf, progressOf, type Graph, type Node } from './explanation-graph.ts';

function node(kind: Node['kind'], state: Node['state'], ...needs: readonly Node['kind'][]): Node {
  return {
    kind,
    id: kind,
    state,
    reason: '',
    message: '',
    dependsOn: needs.map((each) => ({ kind: each, id: each })),
  } as Node;
}

const graph = {
  ready: false,
  summary: '',
  nodes: [
    node('providerResource', 'failed', 'network', 'flavor'),
    node('machine', 'waiting', 'providerResource'),
    node('instance', 'waiting', 'machine', 'quota'),
    node('quota', 'ready'),
    node('flavor', 'ready', 'region'),
    node('network', 'ready', 'cloudIdentity'),
    node('cloudIdentity', 'ready', 'region'),
    node('region', 'ready'),
  ],
} as Graph;

it('each node is to the right of what it needs, and beside what needs it', () => {
  expect(columnsOf(graph).map((column) => column.map(({ kind }) => kind))).toEqual([
    ['region'],
    ['cloudIdentity'],
    ['flavor', 'network'],
    ['providerResource'],
    ['machine', 'quota'],
    ['instance'],
  ]);
});

it('a cause holds up everything that is not ready and waits for it, also through others', () => {
  const [cause] = graph.nodes;
  expect(cause && [...heldUp(graph, cause)]).toEqual(['machine machine', 'instance instance']);
});

it('a circle ends', () => {
  const circle = {
    ...graph,
    nodes: [node('machine', 'waiting', 'instance'), node('instance', 'waiting', 'machine')],
  } as Graph;
  expect(columnsOf(circle).flat().map(keyOf)).toHaveLength(2);
});

it('a resource is as it is since its own node says so, and is tried again when its cause is', () => {
  const times = {
    instance: { since: '2026-11-17T12:00:00Z' },
    machine: { attempts: 2, nextRetry: '2026-11-17T12:01:00Z' },
  };
  const nodes = [
    node('region', 'failed'),
    { ...node('machine', 'retrying', 'region'), ...times.machine },
    { ...node('instance', 'waiting', 'machine'), ...times.instance },
  ];
  expect(progressOf({ nodes }, 'instance')).toEqual({
    since: '2026-11-17T12:00:00Z',
    nextRetry: '2026-11-17T12:01:00Z',
  });
  expect(progressOf({ nodes: [node('instance', 'ready')] }, 'instance').nextRetry).toBeUndefined();
});
