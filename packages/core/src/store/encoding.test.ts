import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readBack } from './encoding.ts';

/** A frozen object can still contain objects that are not frozen. */
function frozen<T>([value, isFrozen]: readonly [T, boolean]): T {
  return isFrozen ? Object.freeze(value) : value;
}

describe('a stored value', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.constant(undefined),
      tie('list'),
      tie('map'),
    ),
    list: fc.tuple(fc.array(tie('value'), { maxLength: 4 }), fc.boolean()).map(frozen),
    map: fc
      .tuple(
        fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value'), {
          maxKeys: 4,
          noNullPrototype: true,
        }),
        fc.boolean(),
      )
      .map(frozen),
  }));

  it('is the same as the value that is read back, and cannot be changed', () => {
    fc.assert(
      fc.property(value, (written) => {
        const back = readBack(written);
        expect(back).toStrictEqual(written === undefined ? undefined : JSON.parse(JSON.stringify(written)));
        if (typeof back === 'object' && back !== null) expect(Object.isFrozen(back)).toBe(true);
      }),
    );
  });

  it('has no holes', () => {
    expect(readBack(Object.freeze(new Array<number>(2)))).toStrictEqual([null, null]);
  });

  it('shares values that were read from the store, and copies others', () => {
    const read = readBack({ inner: { list: [1] } });
    const theirs = { mine: [2] };
    const next = readBack({ ...read, theirs });
    expect(next.inner).toBe(read.inner);
    theirs.mine.push(3);
    expect(next.theirs).toEqual({ mine: [2] });
  });
});
