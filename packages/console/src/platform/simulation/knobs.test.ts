import { expect, it } from 'vitest';

import { changesOf, commandOf, durationText, presets, shareText, stepsFor } from './knobs.ts';

const saved = { ...presets.reset, serversPerIdentity: 10, fileStorage_gib: 10, places: { a: 1 } };

it('only settings that differ are sent', () => {
  expect(changesOf(saved, { call_ms: 20, build_ms: 1, places: { a: 1 } })).toEqual({ build_ms: 1 });
  expect(changesOf(saved, { places: { a: 2 } })).toEqual({ places: { a: 2 } });
});

it('the command sets what differs, also the capacity of one flavor, and takes a capacity back', () => {
  expect(commandOf('north', saved, { errorRate: 0.1, places: { b: 2 } })).toBe(
    'npx unikorn region simulation north \\\n  --set errorRate=0.1 \\\n  --set places.a= \\\n  --set places.b=2',
  );
});

it('a value that is no stop of the slider is one of its stops while it is set', () => {
  expect(stepsFor('call_ms', 42)).toContain(42);
  expect(stepsFor('call_ms', 42).toSorted((one, other) => one - other)).toEqual(stepsFor('call_ms', 42));
  expect(stepsFor('call_ms', 0).at(-1)).toBe(60_000);
});

it('durations and shares are readable', () => {
  expect([20, 15_000, 90_000, 600_000].map(durationText)).toEqual(['20 ms', '15 s', '1.5 min', '10 min']);
  expect([0, 0.05, 0.125, 1].map(shareText)).toEqual(['0 %', '5 %', '12.5 %', '100 %']);
});
