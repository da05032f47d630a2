import { describe, expect, it } from 'vitest';

import { fakeTerminal } from '../testing/product.ts';
import { liveView, newsIn } from './live.ts';

describe('a live view', () => {
  it('writes one line per change without a terminal, and none for a repeated state', async () => {
    const terminal = fakeTerminal();
    const view = await liveView(terminal);
    for (const reason of ['', 'the cloud is slow', 'the cloud is slow', ''])
      view.show({ subject: 'network web', state: 'provisioning', reason });
    view.show({ subject: 'network db', state: 'provisioned', reason: '' });
    await view.stop();
    await expect
      .poll(() => terminal.written().stderr)
      .toBe(
        'network web: provisioning\nnetwork web: provisioning, the cloud is slow\nnetwork web: provisioning\nnetwork db: provisioned\n',
      );
    expect(terminal.written().stdout).toBe('');
  });

  it('shows the reason only once', () => {
    const why = 'its root disk is replaced because image changed';
    expect(newsIn(`${why}; this will start now`, '')).toBe(`${why}; this will start now`);
    expect(newsIn(`${why}: the machine is being built`, `${why}; this will start now`)).toBe(
      'the machine is being built',
    );
    expect(newsIn('the machine: it is slow', `${why}; this will start now`)).toBe('the machine: it is slow');
  });

  it('restores the terminal at the end', async () => {
    const terminal = fakeTerminal({ interactive: true });
    const view = await liveView(terminal);
    view.show({ subject: 'network web', state: 'provisioning', reason: 'the cloud is slow' });
    await expect.poll(() => terminal.written().stderr).toMatch(/network web provisioning \d+s the cloud is slow/);
    await view.stop();
    // The line is erased, and the cursor is visible at its old position.
    await expect.poll(() => terminal.written().stderr).toMatch(/\[2K[^⠀-⣿]*$/);
  });
});
