import { expect, it } from 'vitest';

import { waits } from '../limits.ts';
import { announcer } from './announcer.ts';

/** A clock that moves only when it is told to. */
function clock() {
  let now_ms = 0;
  const timers = new Set<{ readonly at_ms: number; readonly run: () => void }>();
  return {
    now: () => now_ms,
    after: (delay_ms: number, run: () => void) => {
      const timer = { at_ms: now_ms + delay_ms, run };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    pass: (time_ms: number) => {
      now_ms += time_ms;
      for (const timer of [...timers].filter(({ at_ms }) => at_ms <= now_ms)) {
        timers.delete(timer);
        timer.run();
      }
    },
  };
}

it('the first text is said at once, and of those that follow quickly only the last, after the interval', () => {
  const time = clock();
  const said: string[] = [];
  const announce = announcer(time, (text) => said.push(text));
  announce('waiting for the network');
  time.pass(0);
  expect(said).toEqual(['waiting for the network']);
  const forget = announce('waiting for the machine');
  time.pass(waits.announcement_ms - 1);
  forget();
  announce('running');
  expect(said).toHaveLength(1);
  time.pass(1);
  expect(said).toEqual(['waiting for the network', 'running']);
});
