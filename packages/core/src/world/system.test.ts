import { expect, it } from 'vitest';

import { systemWorld } from './index.ts';

it('the clock shows this century, and durations never decrease', () => {
  expect(systemWorld.now()).toBeGreaterThan(Date.parse('2026-01-01T00:00:00Z'));
  const before = systemWorld.monotonic_ms();
  expect(systemWorld.monotonic_ms()).toBeGreaterThanOrEqual(before);
});

it('timers fire in order and a cancelled one does not', async () => {
  const fired: string[] = [];
  await new Promise<void>((resolve) => {
    systemWorld.after(1, () => fired.push('cancelled'))();
    systemWorld.after(2, () => fired.push('first'));
    systemWorld.after(10, resolve);
  });
  expect(fired).toEqual(['first']);
});

it('a delay longer than one machine timer can hold is not over at once', async () => {
  let fired = false;
  const cancel = systemWorld.after(2 ** 32, () => {
    fired = true;
  });
  await systemWorld.sleep(5);
  cancel();
  expect(fired).toBe(false);
});

it('a sleep ends at once when its signal aborts or is already aborted', async () => {
  const controller = new AbortController();
  const sleeping = systemWorld.sleep(3600_000, controller.signal);
  controller.abort();
  await sleeping;
  await systemWorld.sleep(3600_000, controller.signal);
});

it('a turn lets ready work run first', async () => {
  const seen: string[] = [];
  const turn = systemWorld.turn().then(() => seen.push('turn'));
  void Promise.resolve().then(() => seen.push('ready'));
  await turn;
  expect(seen).toEqual(['ready', 'turn']);
});

it('randomness is random, of the size asked for, and ids are UUIDv4', () => {
  expect(systemWorld.random()).not.toBe(systemWorld.random());
  expect(systemWorld.randomBytes(16)).toHaveLength(16);
  expect(systemWorld.uuid()).toMatch(/^[0-9a-f-]{14}4[0-9a-f]{3}-[89ab]/);
});

it('a time that has passed is over at once, without a warning of Node', async () => {
  const warnings: string[] = [];
  const listen = ({ name }: Error) => warnings.push(name);
  process.on('warning', listen);
  await systemWorld.sleep(-5);
  await systemWorld.sleep(1);
  process.off('warning', listen);
  expect(warnings).toEqual([]);
});
