/**
 * The same events, each converted. An async generator in between would take several more turns of the microtask queue
 * for each event.
 *
 * @example converted(changes, (change) => change.type)
 */
export function converted<A, B>(events: AsyncIterable<A>, convert: (event: A) => B): AsyncIterable<B> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = events[Symbol.asyncIterator]();
      return {
        async next(): Promise<IteratorResult<B, undefined>> {
          const step = await iterator.next();
          if (step.done) return over;
          try {
            return { done: false, value: convert(step.value) };
          } catch (error) {
            await iterator.return?.();
            throw error;
          }
        },
        async return(): Promise<IteratorResult<B, undefined>> {
          await iterator.return?.();
          return over;
        },
      };
    },
  };
}

const over = { done: true, value: undefined } as const;
