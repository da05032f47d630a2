import { setImmediate } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { fakeTerminal } from '../testing/product.ts';
import { waiting, type Progress } from './waiting.ts';

/** A wait whose timeout the test controls. */
async function waitWith(
  work: (progress: Progress, timeOut: () => void) => void,
): Promise<{ readonly error: unknown; readonly stderr: string }> {
  let timeOut = (): void => undefined;
  const terminal = {
    ...fakeTerminal(),
    sleep: () =>
      new Promise<void>((resolve) => {
        timeOut = resolve;
      }),
  };
  const options = { timeout_ms: 25_000, onward: 'unikorn network watch web' };
  const ended = waiting(
    terminal,
    options,
    (signal, progress) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
        work(progress, timeOut);
      }),
  );
  const error = await ended.catch((thrown: unknown) => thrown);
  await setImmediate();
  return { error, stderr: terminal.written().stderr };
}

const silence = new Error('http://here cannot be reached: refused');

it('reports that the server does not answer, and does not claim progress', async () => {
  const { error, stderr } = await waitWith(({ onInterruption }, timeOut) => {
    onInterruption(silence);
    onInterruption(silence);
    timeOut();
  });
  expect(stderr).toBe('control plane: unreachable, http://here cannot be reached: refused; trying again\n');
  expect(error).toMatchObject({
    ending: 'unreachable',
    message: silence.message,
    hints: [expect.stringContaining('unikorn network watch web')],
  });
});

it('reports that the server answers again, and continues the wait', async () => {
  const { error, stderr } = await waitWith(({ onInterruption }, timeOut) => {
    onInterruption(silence);
    onInterruption(undefined);
    timeOut();
  });
  expect(stderr).toContain('trying again\ncontrol plane: reachable again\n');
  expect(error).toMatchObject({ ending: 'timedOut', message: 'not done after 25s; it continues in the background' });
});
