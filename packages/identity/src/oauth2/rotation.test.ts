import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { waits } from '../limits.ts';
import { inSigningOrder, isRotationDue, rotated } from './rotation.ts';

const at = (time: number) => new Date(time).toISOString();

describe('rotation', () => {
  it('at any time, a signature can be verified during the lifetime of its token', () => {
    const longestToken_ms = 3600_000;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 * 24 }), { maxLength: 60 }), (pauses_h) => {
        let now = 0;
        let keys = [{ kid: 0, created: at(0) }];
        const signed: { readonly kid: number | undefined; readonly until: number }[] = [];
        for (const pause_h of pauses_h) {
          now += pause_h * 3600_000;
          if (isRotationDue(keys, now)) keys = rotated(keys, { kid: now, created: at(now) });
          const published = keys.map(({ kid }) => kid);
          for (const { kid, until } of signed) if (until >= now) expect(published).toContain(kid);
          signed.push({ kid: inSigningOrder(keys, now)[0]?.kid, until: now + longestToken_ms });
        }
        expect(keys.length).toBeLessThanOrEqual(2);
      }),
    );
  });

  it('a new key signs only after it has been published long enough', () => {
    const keys = rotated([{ created: at(0) }], { created: at(waits.keyRotation_ms) });
    expect(inSigningOrder(keys, waits.keyRotation_ms + waits.keyAnnouncement_ms - 1)[0]).toBe(keys[1]);
    expect(inSigningOrder(keys, waits.keyRotation_ms + waits.keyAnnouncement_ms)[0]).toBe(keys[0]);
  });

  it('the only key signs immediately', () => {
    expect(inSigningOrder([{ created: at(5) }], 5)).toEqual([{ created: at(5) }]);
  });
});
