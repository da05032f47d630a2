import { describe, expect, it } from 'vitest';

import { Problem } from '../errors/index.ts';
import { silentTelemetry, virtualWorld } from '../testing/index.ts';
import { WatchedObjects, type Change, type WatchedChange } from './index.ts';

type Told = Change<string>;

/** A watch that sends the events of a test, and the copy that is made of them. */
function stage() {
  const world = virtualWorld();
  let put: (change: Told | Error) => void = () => undefined;
  let opened = 0;
  const watch = async function* ({ signal }: { readonly signal: AbortSignal }): AsyncGenerator<Told> {
    opened++;
    const waiting: (Told | Error)[] = [];
    let wake = () => {};
    put = (change) => {
      waiting.push(change);
      wake();
    };
    signal.addEventListener('abort', () => {
      wake();
    });
    while (!signal.aborted) {
      const change = waiting.shift();
      if (change instanceof Error) throw change;
      if (change) yield change;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  };
  const objects = new WatchedObjects<string>({ what: 'texts', watch, world, telemetry: silentTelemetry() });
  const heard: WatchedChange<string>[] = [];
  objects.subscribe((change) => heard.push(change));
  const stop = new AbortController();
  const running = objects.run(stop.signal);
  return {
    world,
    objects,
    heard,
    opened: () => opened,
    tell: async (...changes: readonly (Told | Error)[]) => {
      await world.settle();
      for (const change of changes) put(change);
      await world.settle();
    },
    end: async () => {
      stop.abort();
      await running;
    },
  };
}

const added = (id: string, object = id): Told => ({ type: 'added', id, object });

describe('objects that are watched', () => {
  it('are available once the list is complete, and follow changes', async () => {
    const { objects, heard, tell, end } = stage();
    await tell(added('a'), added('b'));
    expect(objects.synced).toBe(false);
    await tell({ type: 'synced' });
    expect(objects.synced).toBe(true);
    const byText = objects.index((text) => [text]);
    expect(byText.names('b')).toEqual(['b']);
    await tell({ type: 'modified', id: 'a', object: 'A' }, { type: 'deleted', id: 'b' });
    expect([...objects.list()]).toEqual(['A']);
    expect([byText.get('A'), byText.get('a'), byText.get('b')]).toEqual([['A'], [], []]);
    expect(heard).toEqual([
      { type: 'added', id: 'a', object: 'a' },
      { type: 'added', id: 'b', object: 'b' },
      { type: 'modified', id: 'a', object: 'A', previous: 'a' },
      { type: 'deleted', id: 'b', previous: 'b' },
    ]);
    await end();
  });

  it('are found by their current value of an index', async () => {
    const { objects, tell, end } = stage();
    await tell(added('before', 'x'));
    const index = objects.index((text) => [text]);
    await tell(added('a', 'x'), added('b', 'y'), { type: 'synced' });
    expect([index.names('x'), index.get('y')]).toEqual([['before', 'a'], ['y']]);
    await tell({ type: 'modified', id: 'a', object: 'y' }, { type: 'deleted', id: 'b' });
    expect([index.names('x'), index.names('y')]).toEqual([['before'], ['a']]);
    await end();
  });

  it('that violate the contract are skipped, and the others are watched', async () => {
    const { objects, tell, end } = stage();
    await tell(added('a'), { type: 'unreadable', id: 'b' }, added('c'), { type: 'synced' });
    expect([objects.synced, ...objects.list()]).toEqual([true, 'a', 'c']);
    await tell({ type: 'unreadable', id: 'a' }, { type: 'restart' });
    await tell({ type: 'unreadable', id: 'a' }, { type: 'synced' });
    expect([...objects.list()]).toEqual(['a']);
    await end();
  });

  it('that are missing in a new list are removed, and unchanged objects are not reported again', async () => {
    const { objects, heard, tell, end } = stage();
    await tell(added('a'), added('b'), added('c'), { type: 'synced' });
    heard.length = 0;
    await tell({ type: 'restart' }, added('a'), added('b', 'B'));
    expect(objects.size).toBe(3);
    await tell({ type: 'synced' });
    expect(heard).toEqual([
      { type: 'modified', id: 'b', object: 'B', previous: 'b' },
      { type: 'deleted', id: 'c', previous: 'c' },
    ]);
    await end();
  });

  it('are watched again after a refusal', async () => {
    const { world, objects, heard, tell, opened, end } = stage();
    await tell(added('a'), { type: 'synced' }, new Problem('forbidden', 'no longer'));
    await world.until(() => opened() === 2);
    await tell({ type: 'synced' });
    expect(objects.size).toBe(0);
    expect(heard.at(-1)).toEqual({ type: 'deleted', id: 'a', previous: 'a' });
    await end();
  });
});
