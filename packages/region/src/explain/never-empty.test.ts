import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Explanation } from '@unikorn/core/explain';
import type { Kind, Resource } from '@unikorn/core/kinds';
import { availableReasons, healthReasons, labels } from '@unikorn/core/resource';

import {
  FileStorage,
  LoadBalancer,
  Network,
  Region,
  SecurityGroup,
  Server,
  SSHCertificateAuthority,
} from '../kinds/index.ts';
import { specimens } from '../kinds/specimens.fixture.ts';
import type { Image } from '../provider/index.ts';
import { Providers } from '../regions/index.ts';
import { startRegion, type RunningRegion } from '../testing/index.ts';
import {
  explainFileStorage,
  explainImage,
  explainLoadBalancer,
  explainNetwork,
  explainSecurityGroup,
  explainServer,
  explainSshCertificateAuthority,
  type Reading,
} from './index.ts';

let running: RunningRegion;
let reading: Reading;
beforeAll(async () => {
  running = await startRegion();
  const { store, world } = running;
  reading = { store, world, providers: new Providers({ store, world }, {}), acl: {} };
});
afterAll(() => running.stop());

const start = '2026-01-01T00:00:00Z';
const later = '2026-01-01T01:00:00Z';
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const defined = <T>(value: T) => JSON.parse(JSON.stringify(value)) as T;

const metadata = fc.record({
  generation: fc.constantFrom(1, 2),
  deletionTimestamp: some(fc.constant(later)),
  finalizers: fc.constantFrom([], ['unikorn'], ['unikorn', 'example.com/backup']),
});
const condition = (type: string, reasons: readonly string[]) =>
  fc.record({
    type: fc.constant(type),
    status: fc.constantFrom('True', 'False', 'Unknown'),
    reason: fc.constantFrom(...reasons),
    message: fc.constantFrom('', 'because'),
    lastTransitionTime: fc.constant(start),
  });
const status = fc.record({
  conditions: some(fc.tuple(condition('Available', availableReasons), condition('Healthy', healthReasons))),
  observedGeneration: some(fc.constant(1)),
  retry: some(fc.constant({ attempts: 3, since: start, nextTime: later })),
  missingSince: some(fc.constant(start)),
  provisionedAt: some(fc.constant(start)),
  providerCreateFailures: some(fc.nat(3)),
  rebuild: some(
    fc.record({ targetImageID: fc.constant('i'), state: fc.constantFrom('Initiated', 'Rebuilding', 'Failed') }),
  ),
});

/** Any object of a kind: a valid one, or one that only a defect or an old version leaves. */
function anyOf<K extends Kind>(kind: K, spec: object): fc.Arbitrary<Resource<K>> {
  return fc.record({ metadata, pause: some(fc.boolean()), status: some(status) }).map(
    ({ pause, ...drawn }) =>
      defined({
        apiVersion: '',
        kind: kind.kind,
        metadata: {
          name: 'a0000000-0000-4000-8000-000000000001',
          uid: 'u',
          resourceVersion: '1',
          creationTimestamp: start,
          labels: {
            [labels.name]: 'one',
            [labels.organization]: running.organizationId,
            [labels.project]: running.projectId,
            [labels.network]: 'a0000000-0000-4000-8000-000000000002',
            [labels.identity]: 'a0000000-0000-4000-8000-000000000003',
            [labels.region]: running.regionId,
          },
          ...drawn.metadata,
        },
        spec: { ...spec, pause },
        status: drawn.status,
      }) as unknown as Resource<K>,
  );
}

/** Everything that is not ready has a reason, a message and a remedy, and edges lead to existing nodes. */
function expectComplete({ ready, summary, nodes }: Explanation): void {
  expect(summary).not.toBe('');
  if (!ready) expect(nodes[0]?.state).not.toBe('ready');
  const present = new Set(nodes.map(({ kind, id }) => `${kind} ${id}`));
  expect(present.size).toBe(nodes.length);
  for (const { state, reason, message, unblockedBy, nextRetry, attempts, dependsOn } of nodes) {
    expect(reason).not.toBe('');
    if (state === 'ready') expect(unblockedBy).toBeUndefined();
    else expect([message, unblockedBy ?? '']).not.toContain('');
    if (state === 'retrying') expect([attempts, nextRetry]).toEqual([3, later]);
    if (state === 'failed' && nextRetry === undefined) expect(unblockedBy).not.toContain('retried automatically');
    for (const { kind, id } of dependsOn) expect(present).toContain(`${kind} ${id}`);
  }
}

describe('an explanation is never empty for anything that is not ready', () => {
  const check = <K extends Kind>(
    kind: K,
    spec: object,
    explain: (of: Reading, object: Resource<K>) => Promise<Explanation>,
  ) =>
    fc.assert(
      fc.asyncProperty(anyOf(kind, spec), async (object) => {
        expectComplete(await explain(reading, object));
      }),
      { numRuns: 200 },
    );

  it('a network', () => check(Network, specimens.Network, explainNetwork));
  it('a security group', () => check(SecurityGroup, specimens.SecurityGroup, explainSecurityGroup));
  it('a load balancer', () => check(LoadBalancer, specimens.LoadBalancer, explainLoadBalancer));
  it('file storage', () => check(FileStorage, specimens.FileStorage, explainFileStorage));
  it('an SSH certificate authority', () =>
    check(SSHCertificateAuthority, specimens.SSHCertificateAuthority, explainSshCertificateAuthority));
  it('a server', () => check(Server, specimens.Server, explainServer));
  it.each(['pending', 'creating', 'ready', 'failed', undefined] as const)('an image that is %s', async (state) => {
    const region = await running.store.get(Region, running.regionId);
    if (!region) throw new Error('there is no region');
    const tags = [{ name: 'compute.unikorn-cloud.org:instance-id', value: 'gone' }];
    const image =
      state && ({ id: 'i', name: 'mine', createdAt: start, state, tags, identityId: 'p' } as unknown as Image);
    expectComplete(await explainImage(reading, region, 'i', { type: 'answered', image }));
    expectComplete(await explainImage(reading, region, 'i', { type: 'silent', problem: 'the cloud does not answer' }));
  });
});
