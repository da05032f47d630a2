import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { missingStatus, storedNode, type NodeDraft, type StoredObject } from '@unikorn/core/explain';
import type { Metadata } from '@unikorn/core/kinds';
import { availableReasons, healthReasons, labels } from '@unikorn/core/resource';

import type { ComputeInstance } from '../kinds/index.ts';
import { explain, type Machine, type Need, type NodeKind, type View } from './index.ts';

const start = '2026-01-01T00:00:00Z';
const later = '2026-01-01T01:00:00Z';

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const defined = <T extends object>(value: T) => JSON.parse(JSON.stringify(value)) as T;

const metadata = (name: string): fc.Arbitrary<Metadata> =>
  fc
    .record({
      generation: fc.constantFrom<number>(1, 2),
      deletionTimestamp: some(fc.constant(later)),
      finalizers: fc.constantFrom([], ['unikorn'], ['unikorn', 'servers.region.unikorn-cloud.org/x']),
    })
    .map(
      (rest) =>
        defined({
          name,
          uid: 'u',
          resourceVersion: '1',
          creationTimestamp: start,
          labels: { [labels.name]: `the ${name}`, [labels.organization]: 'o' },
          ...rest,
        }) as Metadata,
    );

const available = fc.record({
  type: fc.constant('Available'),
  status: fc.constantFrom('True', 'False'),
  reason: fc.constantFrom(...availableReasons),
  message: fc.constantFrom('', 'because'),
  lastTransitionTime: fc.constant(start),
});
const healthy = fc.record({
  type: fc.constant('Healthy'),
  status: fc.constantFrom('True', 'False', 'Unknown'),
  reason: fc.constantFrom(...healthReasons),
  message: fc.constantFrom('', 'unwell'),
  lastTransitionTime: fc.constant(start),
});
const framework = {
  conditions: some(
    fc
      .subarray(['available', 'healthy'] as const)
      .chain((which) => fc.tuple(...which.map((one) => (one === 'available' ? available : healthy)))),
  ),
  observedGeneration: some(fc.constant(1)),
  retry: some(fc.constant({ attempts: 3, since: start, nextTime: later })),
};

const spec = fc.record({ pause: some(fc.boolean()) });

const instance = fc
  .record({
    metadata: metadata('f1'),
    spec,
    status: some(
      fc.record({
        ...framework,
        serverId: some(fc.constant('f1')),
        replacement: some(fc.constant({ action: 'recreate', since: start, changes: [] })),
        heldUpBy: some(fc.constantFrom('region', 'machine', 'quota')),
      }),
    ),
  })
  .map(
    ({ spec: chosen, ...rest }) =>
      defined({
        apiVersion: '',
        kind: '',
        ...rest,
        spec: { flavorId: 'f', imageId: 'i', ...chosen },
      }) as ComputeInstance,
  );

const drawn = (kind: string, id: string): fc.Arbitrary<NodeDraft> =>
  fc.record({ metadata: metadata(id), spec, status: some(fc.record(framework)) }).map((object) =>
    storedNode({
      kind,
      id,
      of: { realisation: 'controlled' },
      object: defined(object) as StoredObject,
      readable: true,
      remedies: {},
    }),
  );

const machine: fc.Arbitrary<Machine> = fc.oneof(
  fc.constant<Machine>({ type: 'none' }),
  fc.constant<Machine>({ type: 'occupied', serverId: 'f1' }),
  fc.constant<Machine>({ type: 'many', serverIds: ['f1', 'f2'] }),
  fc.constant<Machine>({ type: 'unknown', problem: 'region does not answer' }),
  fc.record({
    type: fc.constant('one' as const),
    server: drawn('server', 'f1'),
    provider: drawn('providerResource', 'f1'),
  }),
);

const need = (kind: NodeKind): fc.Arbitrary<Need> =>
  fc.record({
    node: fc.oneof(drawn(kind, 'n1'), fc.constant({ kind, id: 'n1', ...missingStatus })) as fc.Arbitrary<
      NodeDraft<NodeKind>
    >,
    readable: fc.boolean(),
  });

const view: fc.Arbitrary<View> = fc.record({
  instance,
  needs: fc.tuple(
    need('cloudIdentity'),
    need('network'),
    need('securityGroup'),
    need('sshCertificateAuthority'),
    need('image'),
  ),
  machine,
});

describe('the explanation of an instance', () => {
  it('is never empty for a state that is not ready: it has a cause, a reason and a remedy', () => {
    fc.assert(
      fc.property(view, (shown) => {
        const { ready, summary, nodes } = explain(shown);
        expect(summary).not.toBe('');
        if (!ready) expect(nodes[0]?.state).not.toBe('ready');
        for (const { state, reason, message, unblockedBy } of nodes) {
          expect(reason).not.toBe('');
          if (state === 'ready') expect(unblockedBy).toBeUndefined();
          else expect([message, unblockedBy]).not.toContain('');
          if (state !== 'ready') expect(unblockedBy).toBeDefined();
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('shows a failed rebuild although the old machine still runs', () => {
    const created = { uid: 'u', resourceVersion: '1', generation: 1, creationTimestamp: start };
    const conditions = [
      { type: 'Available', status: 'True', reason: 'Provisioned', message: '', lastTransitionTime: start },
    ];
    const status = { conditions, observedGeneration: 1 };
    const running = {
      apiVersion: '',
      kind: '',
      metadata: { name: 'f1', ...created },
      spec: { flavorId: 'f', imageId: 'i' },
      status,
    } as ComputeInstance;
    const ready = { id: 'f1', state: 'ready', reason: 'Provisioned', message: '' } as const;
    const message = 'its root disk could not be replaced by image i9';
    const { summary, nodes } = explain({
      instance: running,
      needs: [],
      machine: {
        type: 'one',
        server: { kind: 'server', ...ready },
        provider: { kind: 'providerResource', ...ready, state: 'failed', reason: 'RebuildFailed', message },
      },
    });
    expect(nodes[0]).toMatchObject({
      kind: 'providerResource',
      state: 'failed',
      reason: 'RebuildFailed',
      message,
      unblockedBy: 'update the instance with another image, or with another flavor, which replaces its machine',
    });
    expect(summary).toBe('provider resource f1: its root disk could not be replaced by image i9');
  });

  it('shows the number of attempts and the next one only for automatic retries', () => {
    const again = { attempts: 3, nextRetry: later };
    fc.assert(
      fc.property(view, (shown) => {
        const { nodes } = explain(shown);
        const { retry } = shown.instance.status ?? {};
        const self = nodes.find(({ kind }) => kind === 'instance');
        if (retry && self?.state === 'failed') expect(self).toMatchObject(again);
        for (const { node } of shown.needs)
          if (node.nextRetry !== undefined) expect(nodes.find(({ kind }) => kind === node.kind)).toMatchObject(again);
        for (const { state, attempts, nextRetry, unblockedBy } of nodes) {
          if (state === 'retrying') expect({ attempts, nextRetry }).toEqual(again);
          if (state === 'failed' && nextRetry === undefined) expect(unblockedBy).not.toContain('retried automatically');
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('shows the part that the last attempt failed at first, unless a deeper part has a problem', () => {
    fc.assert(
      fc.property(view, fc.constantFrom('region', 'quota'), (shown, heldUpBy) => {
        const { instance } = shown;
        const status = {
          ...instance.status,
          retry: { attempts: 3, since: start, nextTime: later },
          conditions: [],
          heldUpBy,
        } as ComputeInstance['status'];
        const { nodes } = explain({
          ...shown,
          machine: { type: 'none' },
          needs: [],
          instance: {
            ...instance,
            spec: { flavorId: 'f', imageId: 'i' },
            metadata: { ...instance.metadata, deletionTimestamp: later },
            ...(status ? { status } : {}),
          },
        });
        expect(nodes[0]).toMatchObject({ kind: heldUpBy, state: 'retrying', attempts: 3, nextRetry: later });
      }),
    );
  });

  it('contains every part once, parts that are not ready first, with edges between them', () => {
    fc.assert(
      fc.property(view, (shown) => {
        const { nodes } = explain(shown);
        const troubled = nodes.map(({ state }) => state !== 'ready');
        expect(troubled).toEqual(troubled.toSorted((a, b) => Number(b) - Number(a)));
        expect(nodes.filter(({ kind }) => kind === 'instance')).toHaveLength(1);
        const present = new Set(nodes.map(({ kind, id }) => `${kind} ${id}`));
        expect(present.size).toBe(nodes.length);
        for (const { dependsOn } of nodes)
          for (const { kind, id } of dependsOn) expect(present).toContain(`${kind} ${id}`);
      }),
    );
  });

  it('shows only the existence of resources that the caller may not read', () => {
    fc.assert(
      fc.property(view, (shown) => {
        const { nodes } = explain({ ...shown, needs: shown.needs.map((one) => ({ ...one, readable: false })) });
        for (const { name, message, kind } of nodes) {
          if (kind !== 'network' && kind !== 'securityGroup') continue;
          expect(name).toBeUndefined();
          expect(message).not.toContain('because');
        }
      }),
    );
  });
});
