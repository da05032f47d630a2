import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { labels } from '../resource/index.ts';
import {
  concealed,
  explanationOf,
  heldBy,
  holderNodes,
  mostHolders,
  nodeStates,
  nodeStatusOf,
  remedyFor,
  storedNode,
  usualRemedies,
  type Graph,
  type NodeDraft,
  type NodeStatus,
  type StoredObject,
} from './index.ts';

const start = '2026-01-01T00:00:00Z';
const later = '2026-01-01T01:00:00Z';
const retry = { attempts: 3, since: later, nextTime: '2026-01-01T01:01:00Z' };
const tried = { attempts: 3, nextRetry: '2026-01-01T01:01:00Z' };

const available = (status: string, reason: string, message = 'because') => ({
  type: 'Available',
  status,
  reason,
  message,
  lastTransitionTime: later,
});
const healthy = (status: string, reason: string, message = 'unwell') => ({
  type: 'Healthy',
  status,
  reason,
  message,
  lastTransitionTime: later,
});

function stored({ metadata = {}, spec = {}, status }: { metadata?: object; spec?: object; status?: object }) {
  return {
    metadata: { name: 'a', uid: 'u', resourceVersion: '1', generation: 1, creationTimestamp: start, ...metadata },
    spec,
    ...(status ? { status: { observedGeneration: 1, ...status } } : {}),
  } as StoredObject;
}

const controlled = { realisation: 'controlled' } as const;

describe('the status of a stored object', () => {
  const cases: readonly (readonly [string, Parameters<typeof stored>[0], Partial<NodeStatus>])[] = [
    ['is progressing when nothing is known yet', {}, { state: 'progressing', reason: 'Pending', since: start }],
    [
      'is progressing while a change is not applied yet',
      { metadata: { generation: 2 }, status: { conditions: [available('True', 'Provisioned')] } },
      { state: 'progressing', reason: 'Provisioning' },
    ],
    [
      'is ready when it is available',
      { status: { conditions: [available('True', 'Provisioned', '')] } },
      { state: 'ready', reason: 'Provisioned', message: '', since: later },
    ],
    [
      'is progressing while it is provisioned',
      { status: { conditions: [available('False', 'Provisioning')] } },
      { state: 'progressing', message: 'because' },
    ],
    [
      'is retrying when the last attempt failed, with the count and the time of the next one',
      { status: { conditions: [available('False', 'Provisioning')], retry } },
      { state: 'retrying', since: later, ...tried },
    ],
    [
      'is waiting for a dependency',
      { status: { conditions: [available('False', 'DependencyNotReady')] } },
      { state: 'waiting' },
    ],
    [
      'has failed when a dependency does not exist',
      { status: { conditions: [available('False', 'DependencyNotFound')] } },
      { state: 'failed' },
    ],
    [
      'has failed, and says that it is retried',
      { status: { conditions: [available('False', 'Errored', '')], retry } },
      { state: 'failed', message: 'it is not ready yet', ...tried },
    ],
    [
      'is degraded when it is available and not healthy',
      { status: { conditions: [available('True', 'Provisioned'), healthy('False', 'Degraded')] } },
      { state: 'degraded', reason: 'Degraded', message: 'unwell' },
    ],
    [
      'is degraded when its health is unknown',
      { status: { conditions: [available('True', 'Provisioned'), healthy('Unknown', 'Unknown', '')] } },
      { state: 'degraded', reason: 'Unknown', message: 'it is not healthy' },
    ],
    [
      'is paused whatever its conditions say',
      { spec: { pause: true }, status: { conditions: [available('False', 'Errored')] } },
      { state: 'paused' },
    ],
    [
      'is deleting also when it is paused',
      { metadata: { deletionTimestamp: later }, spec: { pause: true } },
      { state: 'deleting', message: 'it is being deleted', since: later },
    ],
    [
      'names the finalizers that a deletion waits for',
      { metadata: { deletionTimestamp: later, finalizers: ['unikorn', 'example.com/backup'] } },
      { state: 'deleting', message: 'it is being deleted, and waits for the finalizers example.com/backup' },
    ],
    [
      'says why a deletion fails',
      { metadata: { deletionTimestamp: later }, status: { conditions: [available('False', 'Errored')], retry } },
      { state: 'deleting', reason: 'Errored', message: 'because', ...tried },
    ],
  ];
  it.each(cases)('%s', (_, object, status) => {
    expect(nodeStatusOf(controlled, stored(object))).toMatchObject(status);
  });

  it('is ready at once for a kind without a controller', () => {
    expect(nodeStatusOf({ realisation: 'static' }, stored({}))).toMatchObject({ state: 'ready', since: start });
  });
});

describe('a remedy', () => {
  it('exists for every state but ready', () => {
    for (const state of nodeStates)
      expect(remedyFor({}, 'a', { state })).toEqual(
        state === 'ready' ? {} : { unblockedBy: expect.stringMatching(/\w/) as string },
      );
  });

  it('of a failure depends on whether it is retried', () => {
    const own = { a: { 'given up': 'change it' } };
    expect(remedyFor(own, 'a', { state: 'failed' })).toEqual({ unblockedBy: 'change it' });
    expect(remedyFor(own, 'a', { state: 'failed', nextRetry: later })).toEqual({ unblockedBy: usualRemedies.failed });
  });
});

describe('a node', () => {
  const object = stored({
    metadata: { labels: { [labels.name]: 'web' } },
    status: { conditions: [available('False', 'Errored')] },
  });
  const node = { kind: 'network', id: 'a', of: controlled, remedies: {} } as const;

  it('of an object that does not exist is missing', () => {
    expect(storedNode({ ...node, object: undefined, readable: false })).toMatchObject({
      state: 'missing',
      message: 'it does not exist',
      unblockedBy: usualRemedies.missing,
    });
  });

  it('shows only its state to a caller who may not read it, without name and message', () => {
    expect(storedNode({ ...node, object, readable: true })).toMatchObject({ name: 'web', message: 'because' });
    const shown = storedNode({ ...node, object, readable: false });
    expect(shown).toMatchObject({ state: 'failed', reason: 'Errored' });
    expect(shown).toEqual(concealed(shown));
    expect(JSON.stringify(shown)).not.toMatch(/web|because/);
  });
});

describe('holders', () => {
  const holders = (count: number) => Array.from({ length: count }, (_, index) => ({ reference: `things/${index}` }));
  const deleting = { kind: 'project', id: 'p', state: 'deleting', reason: 'Deprovisioning', message: '' } as const;

  it.each([
    [1, 'it is being deleted, and waits for things/0'],
    [2, 'it is being deleted, and waits for things/0 and things/1'],
    [7, 'it is being deleted, and waits for things/0, things/1, things/2, things/3, things/4 and 2 more'],
    [
      mostHolders,
      'it is being deleted, and waits for things/0, things/1, things/2, things/3, things/4 and at least 95 more',
    ],
  ])('%i of them are named or counted', (count, message) => {
    expect(heldBy(deleting, holders(count)).message).toBe(message);
    expect(holderNodes(holders(count), {})).toHaveLength(Math.min(count, 5));
  });

  it('are called by name where they have one', () => {
    const named = [{ reference: 'instances.compute.unikorn-cloud.org/1', name: 'instance web-1' }];
    expect(heldBy(deleting, named).message).toBe('it is being deleted, and waits for instance web-1');
    expect(holderNodes(named, {})).toMatchObject([
      { id: named[0]?.reference, name: 'instance web-1', state: 'holding' },
    ]);
  });
});

describe('an explanation', () => {
  type Kind = 'region' | 'network' | 'group' | 'server';
  const graph: Graph<Kind> = [
    { kind: 'region', dependsOn: [] },
    { kind: 'network', dependsOn: ['region'] },
    { kind: 'group', dependsOn: ['network'] },
    { kind: 'server', dependsOn: ['network', 'group'] },
  ];
  const kinds = graph.map(({ kind }) => kind);
  const node: fc.Arbitrary<NodeDraft<Kind>> = fc.record({
    kind: fc.constantFrom(...kinds),
    id: fc.constantFrom('1', '2', '3'),
    state: fc.constantFrom(...nodeStates),
    reason: fc.constant('Reason'),
    message: fc.constant('because'),
  });
  const nodes = fc.uniqueArray(node, { selector: ({ kind, id }) => `${kind} ${id}`, minLength: 1 });
  const explained = (given: readonly NodeDraft<Kind>[]) =>
    explanationOf({ nodes: given, graph, own: ['server'], whenReady: 'the server is ready' });

  it('puts problems first, causes before effects', () => {
    fc.assert(
      fc.property(nodes, (given) => {
        const ranks = explained(given).nodes.map(
          ({ kind, state }) => (state === 'ready' ? 10 : 0) + kinds.indexOf(kind),
        );
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      }),
    );
  });

  it('has edges between its own nodes only, and no circle', () => {
    fc.assert(
      fc.property(nodes, (given) => {
        const { nodes: shown } = explained(given);
        const present = new Set(shown.map(({ kind, id }) => `${kind} ${id}`));
        for (const { kind, dependsOn } of shown)
          for (const needed of dependsOn) {
            expect(present).toContain(`${needed.kind} ${needed.id}`);
            expect(kinds.indexOf(needed.kind)).toBeLessThan(kinds.indexOf(kind));
          }
      }),
    );
  });

  it('names every node that another one needs', () => {
    const ready = (kind: Kind, id: string) => ({ kind, id, state: 'ready', reason: 'Ready', message: '' }) as const;
    const { nodes: shown } = explained([
      ready('server', 's'),
      ready('group', 'g'),
      ready('group', 'h'),
      ready('network', 'n'),
    ]);
    expect(shown.find(({ kind }) => kind === 'server')?.dependsOn).toEqual([
      { kind: 'network', id: 'n' },
      { kind: 'group', id: 'g' },
      { kind: 'group', id: 'h' },
    ]);
  });

  it('is ready when the resource itself is, and says in one line what the deepest problem is otherwise', () => {
    const trouble = { state: 'failed', reason: 'Errored', message: 'no room' } as const;
    const network = { kind: 'network', id: 'n', name: 'web', ...trouble } as const;
    const server = { kind: 'server', id: 's', state: 'ready', reason: 'Ready', message: '' } as const;
    expect(explained([server, network])).toMatchObject({ ready: true, summary: 'the server is ready' });
    expect(explained([{ ...server, ...trouble }, network])).toMatchObject({
      ready: false,
      summary: 'network web: no room',
    });
  });
});
