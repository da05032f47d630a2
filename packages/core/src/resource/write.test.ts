import { describe, expect, it } from 'vitest';

import type { Metadata } from '../kinds/index.ts';
import { annotations, labels, modifiedMetadata, newMetadata, type Author } from './index.ts';

const now = Date.parse('2026-01-02T03:04:05.678Z');
const ann: Author = {
  subject: 'ann',
  principal: { actor: 'ann@example.com', organizationId: 'payer', projectId: 'payer-project' },
};
const service: Author = {
  subject: 'unikorn-compute',
  principal: { actor: 'bob@example.com', organizationId: 'other', projectId: 'other-project' },
};

describe('a new resource', () => {
  it('has name, placement, author, and the party that pays', () => {
    const metadata = newMetadata(
      'id',
      { name: 'web', description: 'text' },
      { organizationId: 'org', projectId: 'proj' },
      ann,
      { labels: { [labels.network]: 'n' }, annotations: { [annotations.allocationId]: 'a' } },
    );
    expect(metadata).toStrictEqual({
      name: 'id',
      labels: {
        [labels.name]: 'web',
        [labels.organization]: 'org',
        [labels.project]: 'proj',
        [labels.principalOrganization]: 'payer',
        [labels.principalProject]: 'payer-project',
        [labels.network]: 'n',
      },
      annotations: {
        [annotations.description]: 'text',
        [annotations.creator]: 'ann',
        [annotations.principalCreator]: 'ann@example.com',
        [annotations.allocationId]: 'a',
      },
    });
  });

  it('has no keys for unknown values', () => {
    expect(newMetadata('id', { name: 'web' }, {}, { subject: 'ann' })).toStrictEqual({
      name: 'id',
      labels: { [labels.name]: 'web' },
      annotations: { [annotations.creator]: 'ann' },
    });
  });

  it('attributes to the principal only values that the principal has', () => {
    const { labels: found } = newMetadata(
      'id',
      { name: 'web' },
      { organizationId: 'org', projectId: 'proj' },
      { subject: 'ann', principal: { organizationId: 'payer' } },
    );
    expect(found).toHaveProperty([labels.principalOrganization], 'payer');
    expect(found).not.toHaveProperty([labels.principalProject]);
  });
});

describe('a modified resource', () => {
  const created = newMetadata(
    'id',
    { name: 'web', description: 'text' },
    { organizationId: 'org', projectId: 'proj' },
    ann,
    { labels: { [labels.network]: 'n' }, annotations: { [annotations.allocationId]: 'a' } },
  );
  const current: Metadata = {
    ...created,
    uid: 'u',
    resourceVersion: '7',
    generation: 2,
    creationTimestamp: '2026-01-01T00:00:00Z',
    finalizers: ['unikorn'],
  };
  const after = modifiedMetadata(current, { name: 'api' }, service, now);

  it('takes the new name, and loses a description that is not given again', () => {
    expect(after.labels).toHaveProperty([labels.name], 'api');
    expect(after.annotations).not.toHaveProperty([annotations.description]);
    expect(modifiedMetadata(current, { name: 'api', description: 'new' }, service, now).annotations).toHaveProperty(
      [annotations.description],
      'new',
    );
  });

  it('is stamped with who changed it, on whose behalf, and when', () => {
    expect(after.annotations).toMatchObject({
      [annotations.modifier]: 'unikorn-compute',
      [annotations.principalModifier]: 'bob@example.com',
      [annotations.modifiedTimestamp]: '2026-01-02T03:04:05Z',
    });
  });

  it('keeps its creator, whoever changes it', () => {
    expect(after.annotations).toMatchObject({
      [annotations.creator]: 'ann',
      [annotations.principalCreator]: 'ann@example.com',
    });
  });

  it('keeps the party that pays, or has none if it had none', () => {
    expect(after.labels).toMatchObject({
      [labels.principalOrganization]: 'payer',
      [labels.principalProject]: 'payer-project',
    });
    const unpaid = modifiedMetadata({ ...current, labels: { [labels.name]: 'web' } }, { name: 'web' }, service, now);
    expect(unpaid.labels).toStrictEqual({ [labels.name]: 'web' });
  });

  it('keeps links, allocations, finalizers, and the version it was read at', () => {
    expect(after.labels).toHaveProperty([labels.network], 'n');
    expect(after.annotations).toHaveProperty([annotations.allocationId], 'a');
    expect(after).toMatchObject({ name: 'id', uid: 'u', resourceVersion: '7', generation: 2, finalizers: ['unikorn'] });
  });

  it('forgets the last principal modifier when the next change has none', () => {
    expect(modifiedMetadata(after, { name: 'api' }, { subject: 'ann' }, now).annotations).not.toHaveProperty([
      annotations.principalModifier,
    ]);
  });
});
