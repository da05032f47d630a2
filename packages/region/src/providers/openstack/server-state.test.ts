import { describe, expect, it } from 'vitest';

import type { nova } from './client/index.ts';
import { presenceOf } from './server-state.ts';

const server: nova.Server = {
  id: 'id',
  name: 'web',
  status: 'ACTIVE',
  created: '2026-01-01T00:00:00Z',
  metadata: {},
  addresses: {
    'network-n': [
      { addr: '10.0.0.5', version: 4, 'OS-EXT-IPS:type': 'fixed', 'OS-EXT-IPS-MAC:mac_addr': 'fa:16:3e:00:00:01' },
      { addr: '203.0.113.5', version: 4, 'OS-EXT-IPS:type': 'floating' },
    ],
  },
  image: { id: 'image' },
  'OS-EXT-STS:task_state': null,
  'OS-EXT-STS:power_state': 1,
  'OS-SRV-USG:launched_at': '2026-01-01T00:00:07.123456',
};

describe('what Nova says about a server', () => {
  it('is told in our words', () => {
    expect(presenceOf({ server, publicIP: '203.0.113.5' })).toEqual({
      state: 'present',
      observed: {
        providerId: 'id',
        status: 'active',
        power: 'running',
        task: 'idle',
        createdAt: '2026-01-01T00:00:00Z',
        launchedAt: '2026-01-01T00:00:07Z',
        imageId: 'image',
        privateIP: '10.0.0.5',
        publicIP: '203.0.113.5',
        macAddress: 'fa:16:3e:00:00:01',
      },
    });
  });

  it.each<[string, string | null, number, object]>([
    ['BUILD', 'spawning', 0, { state: 'pending', observed: { status: 'building', task: 'active', power: 'other' } }],
    ['BUILD', null, 0, { state: 'pending', observed: { status: 'building', task: 'active' } }],
    ['ACTIVE', 'powering-off', 1, { state: 'present', observed: { status: 'active', task: 'active' } }],
    ['SHUTOFF', null, 4, { state: 'present', observed: { status: 'shutoff', power: 'shutdown', task: 'idle' } }],
    ['REBOOT', 'rebooting', 1, { state: 'present', observed: { status: 'active', task: 'active' } }],
    ['REBUILD', 'rebuild_spawning', 1, { state: 'present', observed: { status: 'rebuilding', task: 'active' } }],
    ['ACTIVE', 'deleting', 1, { state: 'pending', observed: { status: 'deleting' } }],
    ['SOFT_DELETED', null, 4, { state: 'pending', observed: { status: 'deleting' } }],
    ['PAUSED', null, 3, { state: 'present', observed: { status: 'unknown', power: 'other' } }],
  ])('%s with the task %s and the power state %i', (status, task, power, expected) => {
    const seen = { ...server, status, 'OS-EXT-STS:task_state': task, 'OS-EXT-STS:power_state': power };
    expect(presenceOf({ server: seen })).toMatchObject(expected);
  });

  it('is queued while the machine is made ready', () => {
    expect(presenceOf({ server: { ...server, status: 'BUILD' }, queued: true })).toMatchObject({
      observed: { status: 'queued' },
    });
  });

  it.each([
    ['No valid host was found. There are not enough hosts on compute-7.', 'the cloud has no host with room'],
    ['Binding failed for port 1234 on compute-7', 'could not connect the machine to its network'],
    ['Exception on compute-7: libvirtError', 'the cloud failed to run the machine'],
  ])('%s is told without names of the cloud', (message, told) => {
    const { observed } = presenceOf({ server: { ...server, status: 'ERROR', fault: { message } } });
    expect(observed.fault).toContain(told);
    expect(observed.fault).not.toContain('compute-7');
  });
});
