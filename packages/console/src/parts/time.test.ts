import { expect, it } from 'vitest';

import { isTimeZone } from '../session/preferences.ts';
import { absoluteTime, nowFor, relativeTime } from './time.tsx';

it('a time is written in the zone of the user, with its name', () => {
  expect(absoluteTime(0, 'UTC')).toBe('1 Jan 1970, 00:00:00 UTC');
  expect(absoluteTime(0, 'Asia/Kolkata')).toBe('1 Jan 1970, 05:30:00 GMT+5:30');
});

it('a zone that the browser does not know is not used', () => {
  expect([isTimeZone('Europe/Berlin'), isTimeZone('Mars/Olympus'), isTimeZone('')]).toEqual([true, false, false]);
});

it('what has just happened is not in the future, although texts change only every ten seconds', () => {
  const [step, now] = [100_000, 108_000];
  const text = (time: number) => relativeTime(time, nowFor(time, step, now));
  expect([text(107_000), text(80_000), text(130_000)]).toEqual(['now', '20s ago', 'in 30s']);
});
