import { describe, expect, it } from 'vitest';

import { clock, configDirectoryOf, Interrupted } from './terminal.ts';

describe('the configuration folder', () => {
  it.each([
    [{}, 'linux', '/home/ada/.config/unikorn'],
    [{}, 'darwin', '/home/ada/.config/unikorn'],
    [{ XDG_CONFIG_HOME: '/elsewhere' }, 'linux', '/elsewhere/unikorn'],
    [{ APPDATA: '/roaming' }, 'win32', '/roaming/unikorn'],
    [{ APPDATA: '/roaming' }, 'linux', '/home/ada/.config/unikorn'],
  ] as const)('with %j on %s is in %s', (env, platform, directory) => {
    expect(configDirectoryOf(env, '/home/ada', platform)).toBe(directory);
  });
});

describe('sleeping', () => {
  it('rejects with the reason of the signal, before and during the wait', async () => {
    const interruption = new AbortController();
    const sleeping = clock.sleep(60_000, interruption.signal);
    interruption.abort(new Interrupted());
    await expect(sleeping).rejects.toThrow(Interrupted);
    await expect(clock.sleep(60_000, interruption.signal)).rejects.toThrow(Interrupted);
  });
});
