import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

import { defineKind, type Metadata, type Resource } from '../kinds/index.ts';
import {
  annotations,
  labels,
  organizationScopedReadMetadata,
  projectScopedReadMetadata,
  readMetadata,
  staticReadMetadata,
  type Condition,
} from './index.ts';

const declaration = {
  group: 'test.unikorn-cloud.org',
  version: 'v1',
  kind: 'Note',
  plural: 'notes',
  spec: Type.Object({}),
  status: {},
};
const Note = defineKind(declaration);
const StaticNote = defineKind({ ...declaration, realisation: 'static' });

const creationTimestamp = '2026-01-01T00:00:00Z';
const bare: Resource = {
  apiVersion: Note.apiVersion,
  kind: Note.kind,
  metadata: { name: 'id', uid: 'u', resourceVersion: '1', generation: 1, creationTimestamp },
  spec: {},
};

const object = (metadata: Partial<Metadata>, conditions?: readonly Condition[]): Resource => ({
  ...bare,
  metadata: { ...bare.metadata, ...metadata },
  ...(conditions ? { status: { conditions } } : {}),
});

const condition = (type: string, reason: string, message = ''): Condition => ({
  type,
  status: 'False',
  reason,
  message,
  lastTransitionTime: creationTimestamp,
});

describe('the metadata of a resource in the API', () => {
  it('has all fields', () => {
    const full = object(
      {
        deletionTimestamp: '2026-01-03T00:00:00Z',
        labels: { [labels.name]: 'my-note', [labels.organization]: 'org', [labels.project]: 'proj' },
        annotations: {
          [annotations.description]: 'text',
          [annotations.creator]: 'ann',
          [annotations.modifier]: 'bob',
          [annotations.modifiedTimestamp]: '2026-01-02T00:00:00Z',
          [annotations.principalCreator]: 'hidden',
        },
      },
      [condition('Available', 'DependencyNotReady', 'waiting for network n'), condition('Healthy', 'Degraded', 'slow')],
    );
    expect(projectScopedReadMetadata(Note, full, [{ name: 'a', value: 'b' }])).toEqual({
      id: 'id',
      name: 'my-note',
      description: 'text',
      tags: [{ name: 'a', value: 'b' }],
      creationTime: creationTimestamp,
      createdBy: 'ann',
      modifiedTime: '2026-01-02T00:00:00Z',
      modifiedBy: 'bob',
      deletionTime: '2026-01-03T00:00:00Z',
      provisioningStatus: 'deprovisioning',
      provisioningStatusDetail: { reason: 'DependencyNotReady', message: 'waiting for network n' },
      healthStatus: 'degraded',
      healthStatusDetail: { reason: 'Degraded', message: 'slow' },
      organizationId: 'org',
      projectId: 'proj',
    });
  });

  it('of a resource that is being deleted has the caller and the cause', () => {
    const mark = JSON.stringify({ at: creationTimestamp, by: 'jane@example.com', root: 'project website' });
    const going = { deletionTimestamp: creationTimestamp };
    const shown = { deletedBy: 'jane@example.com', deletionCause: 'project website' };
    const seen = (metadata: Partial<Metadata>) => readMetadata(Note, object(metadata));
    expect(seen({ ...going, annotations: { [annotations.deletion]: mark } })).toMatchObject(shown);
    // A mark also closes an object that is not being deleted yet. A damaged mark is ignored.
    for (const other of [
      { annotations: { [annotations.deletion]: mark } },
      { ...going, annotations: { [annotations.deletion]: '{' } },
      { ...going, annotations: { [annotations.deletion]: '{"by":1}' } },
    ]) {
      const { deletedBy, deletionCause } = seen(other);
      expect([deletedBy, deletionCause]).toEqual([undefined, undefined]);
    }
  });

  it('omits absent values, and missing labels are empty texts', () => {
    expect(projectScopedReadMetadata(Note, bare, [])).toStrictEqual({
      id: 'id',
      name: '',
      creationTime: creationTimestamp,
      provisioningStatus: 'pending',
      healthStatus: 'unknown',
      organizationId: '',
      projectId: '',
    });
    expect(organizationScopedReadMetadata(Note, bare)).not.toHaveProperty('projectId');
    expect(staticReadMetadata(bare)).toStrictEqual({ id: 'id', name: '', creationTime: creationTimestamp });
  });

  it('of a kind without a controller is provisioned and healthy', () => {
    expect(readMetadata(StaticNote, bare)).toMatchObject({
      provisioningStatus: 'provisioned',
      healthStatus: 'healthy',
    });
  });

  it.each(['', 'yesterday', 'hello 1', '2026', '2026-01-02', '2026-13-40T00:00:00Z', '2026-01-02T00:00:00'])(
    'the modification time %j is dropped',
    (time) => {
      expect(staticReadMetadata(object({ annotations: { [annotations.modifiedTimestamp]: time } }))).not.toHaveProperty(
        'modifiedTime',
      );
    },
  );

  it.each(['2026-01-02T00:00:00Z', '2026-01-02T00:00:00.123Z', '2026-01-02T00:00:00+02:00'])(
    'the modification time %s is shown as it is',
    (time) => {
      expect(staticReadMetadata(object({ annotations: { [annotations.modifiedTimestamp]: time } })).modifiedTime).toBe(
        time,
      );
    },
  );

  it('of a kind that is complete once it is stored never shows a change in progress', () => {
    const Kept = defineKind({ ...declaration, changes: 'stored' });
    const before = object({ generation: 2 }, [{ ...condition('Available', 'Provisioned'), status: 'True' }]);
    expect(
      readMetadata(Kept, { ...before, status: { ...before.status, observedGeneration: 1 } }).provisioningStatus,
    ).toBe('provisioned');
    expect(readMetadata(Kept, bare).provisioningStatus).toBe('pending');
  });

  it.each(['Provisioned', 'Errored'])(
    'a change that no controller has looked at is being carried out, whatever was %s before',
    (reason) => {
      const before = object({}, [condition('Available', reason)]);
      const seen = { ...before, status: { ...before.status, observedGeneration: before.metadata.generation } };
      expect(
        readMetadata(Note, { ...seen, metadata: { ...seen.metadata, generation: seen.metadata.generation + 1 } }),
      ).toMatchObject({ provisioningStatus: 'provisioning', provisioningStatusDetail: { reason: 'Provisioning' } });
      expect(readMetadata(Note, seen).provisioningStatus).not.toBe('provisioning');
    },
  );

  it('has no reason that is outside the contract', () => {
    const odd = readMetadata(Note, object({}, [condition('Available', 'QuotaGone'), condition('Healthy', 'Odd')]));
    expect(odd).not.toHaveProperty('provisioningStatusDetail');
    expect(odd).not.toHaveProperty('healthStatusDetail');
  });

  it('has the reason of an error in a word of the contract', () => {
    expect(readMetadata(Note, object({}, [condition('Healthy', 'Errored')]))).toMatchObject({
      healthStatus: 'error',
      healthStatusDetail: { reason: 'Degraded' },
    });
  });
});
