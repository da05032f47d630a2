import { describe, expect, it } from 'vitest';

import { converted } from './converted.ts';

/** Numbers without end, and whether their source was closed. */
function numbers() {
  const state = { closed: false };
  const source = (async function* () {
    try {
      for (let number = 1; ; number++) yield await Promise.resolve(number);
    } finally {
      state.closed = true;
    }
  })();
  return { state, source };
}

async function all<T>(events: AsyncIterable<T>): Promise<readonly T[]> {
  const read: T[] = [];
  for await (const event of events) read.push(event);
  return read;
}

describe('events that are converted', () => {
  it('come in order, until the source ends', async () => {
    const source = (async function* () {
      yield* await Promise.resolve([1, 2, 3]);
    })();
    expect(await all(converted(source, (number) => `${number}`))).toEqual(['1', '2', '3']);
  });

  it('close their source when the reader stops', async () => {
    const { source, state } = numbers();
    for await (const number of converted(source, (one) => one * 2)) if (number === 4) break;
    expect(state.closed).toBe(true);
  });

  it('close their source when one of them cannot be converted', async () => {
    const { source, state } = numbers();
    const read = all(
      converted(source, (number) => {
        if (number === 2) throw new Error('not this one');
        return number;
      }),
    );
    await expect(read).rejects.toThrow('not this one');
    expect(state.closed).toBe(true);
  });
});
