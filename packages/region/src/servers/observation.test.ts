import { describe, expect, it } from 'vitest';

import { observation } from './index.ts';

const active = {
  providerId: 'p',
  status: 'active',
  power: 'running',
  task: 'idle',
  createdAt: '2026-01-01T00:00:00Z',
  launchedAt: '2026-01-01T00:00:10Z',
} as const;

describe('an observation of a server', () => {
  it('keeps Stopping while the provider is still stopping it, and is Stopped after that', () => {
    expect(observation({ phase: 'Stopping' }, { ...active, task: 'active' }).phase).toBe('Stopping');
    expect(observation({ phase: 'Stopping' }, { ...active, status: 'shutoff', power: 'shutdown' }).phase).toBe(
      'Stopped',
    );
  });

  it('keeps Pending while a stopped server starts', () => {
    expect(
      observation({ phase: 'Pending' }, { ...active, status: 'shutoff', power: 'shutdown', task: 'active' }).phase,
    ).toBe('Pending');
  });

  it('does not show a server as stopped that never ran', () => {
    const failed = {
      providerId: 'p',
      status: 'error',
      power: 'shutdown',
      task: 'idle',
      createdAt: '2026-01-01T00:00:00Z',
    } as const;
    expect(observation({ phase: 'Building' }, failed).phase).toBe('Building');
    expect(observation({ phase: 'Running' }, { ...failed, launchedAt: '2026-01-01T00:00:10Z' }).phase).toBe('Stopped');
  });

  it('keeps the time when a server first ran, whatever a later observation shows', () => {
    expect(observation(undefined, active).provisionedAt).toBe('2026-01-01T00:00:10Z');
    expect(observation({ provisionedAt: '2025-01-01T00:00:00Z' }, active).provisionedAt).toBe('2025-01-01T00:00:00Z');
  });

  it('uses only the hardware address of a running server', () => {
    expect(observation(undefined, { ...active, macAddress: 'fa:16:3e:00:00:01' }).macAddress).toBe('fa:16:3e:00:00:01');
    expect(
      observation(undefined, { ...active, status: 'shutoff', macAddress: 'fa:16:3e:00:00:01' }),
    ).not.toHaveProperty('macAddress');
  });
});
