import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';

import type { Explanation } from '@unikorn/sdk';

import { instance } from '../nouns/instance.ts';
import { regionsIn, renderBlocker, renderExplanation } from './render.ts';

const style = {
  noun: instance,
  colours: picocolors.createColors(false),
  now: new Date('2026-11-15T12:03:00Z'),
  nameOf: (noun: string, id: string) => (noun === 'region' && id === 'r1' ? 'north' : id),
};

const since = '2026-11-15T12:00:00Z';
const full = 'the cloud has no capacity for another gpu-8';
const stuck: Explanation = {
  ready: false,
  summary: `provider resource m1: ${full}`,
  nodes: [
    {
      kind: 'providerResource',
      id: 'm1',
      state: 'failed',
      reason: 'Errored',
      message: full,
      since,
      attempts: 4,
      nextRetry: '2026-11-15T12:03:20Z',
      unblockedBy: 'delete a machine of this flavor',
      dependsOn: [],
    },
    {
      kind: 'machine',
      id: 'm1',
      state: 'failed',
      reason: 'Errored',
      message: full,
      since,
      unblockedBy: 'correct the problem in the message',
      dependsOn: [],
    },
    {
      kind: 'instance',
      id: 'm1',
      name: 'trainer',
      state: 'waiting',
      reason: 'DependencyNotReady',
      message: 'its machine is not ready',
      since,
      unblockedBy: 'wait until its machine is ready',
      dependsOn: [],
    },
    { kind: 'region', id: 'r1', state: 'ready', reason: 'Answers', message: '', dependsOn: [] },
    { kind: 'securityGroup', id: 'g1', name: 'web', state: 'ready', reason: 'Provisioned', message: '', dependsOn: [] },
    { kind: 'quota', id: 'o1', state: 'ready', reason: 'Charged', message: '', dependsOn: [] },
  ],
};

describe('an explanation', () => {
  it('has the root cause first, then the blocked resources, and last the ready ones', () => {
    expect(renderExplanation('trainer', stuck, style)).toMatchInlineSnapshot(`
      "✗ provider resource: the cloud has no capacity for another gpu-8
        failed for 3m (Errored), attempt 4, next in 20s
        what to do: delete a machine of this flavor
      └─ ✗ machine: failed
         └─ … instance trainer: its machine is not ready
              waiting for 3m (DependencyNotReady)
              what to do: wait until its machine is ready
      ✓ region north, security group web, quota
      "
    `);
  });

  it('does not repeat messages, and uses the names of flags', () => {
    const building: Explanation = {
      ready: false,
      summary: '',
      nodes: [
        {
          kind: 'machine',
          id: 'm1',
          state: 'progressing',
          reason: 'Provisioning',
          message: 'it is being built',
          since,
          dependsOn: [],
        },
        {
          kind: 'instance',
          id: 'm1',
          name: 'web',
          state: 'waiting',
          reason: 'Provisioning',
          message: 'its root disk is replaced because spec.imageId changed: it is being built',
          since,
          dependsOn: [],
        },
      ],
    };
    expect(renderExplanation('web', building, style)).toContain(
      '└─ … instance web: its root disk is replaced because image changed\n',
    );
  });

  it('of a ready instance is one line', () => {
    expect(renderExplanation('web-1', { ready: true, summary: 'the instance is ready', nodes: [] }, style)).toBe(
      '✓ web-1: the instance is ready\n',
    );
  });

  it('can be reduced to the root cause', () => {
    expect(renderBlocker(stuck, style)).toMatchInlineSnapshot(`
      "✗ provider resource: the cloud has no capacity for another gpu-8
        failed for 3m (Errored), attempt 4, next in 20s
        what to do: delete a machine of this flavor
      "
    `);
    expect(renderBlocker({ ready: true, summary: '', nodes: [] }, style)).toBe('');
  });

  it('of a missing resource has no duration', () => {
    const missing: Explanation = {
      ...stuck,
      nodes: [
        {
          kind: 'sshCertificateAuthority',
          id: 'c1',
          state: 'missing',
          reason: 'DependencyNotFound',
          message: 'it does not exist',
          unblockedBy: 'update the instance',
          dependsOn: [],
        },
      ],
    };
    expect(renderBlocker(missing, style)).toBe(
      '✗ ssh certificate authority c1: it does not exist\n  missing (DependencyNotFound)\n  what to do: update the instance\n',
    );
  });

  it('shows regions by name, although it contains only ids', () => {
    expect(regionsIn(stuck)).toEqual([{ noun: 'region', id: 'r1' }]);
  });
});
