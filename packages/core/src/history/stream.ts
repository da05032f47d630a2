import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

import { allowsOn, watchCollection, type Request, type ServerEvent, type View } from '../http/index.ts';
import type { Resource } from '../kinds/index.ts';
import { matching } from '../store/index.ts';
import { inOrder } from './entries.ts';
import type { History } from './history.ts';
import { HistoryEntry } from './kinds.ts';
import { isNewestFirst } from './names.ts';

const Part = Compile(
  Type.Object({
    name: Type.String(),
    spec: Type.Object({ entries: Type.Array(HistoryEntry), replaces: Type.Optional(Type.Array(Type.String())) }),
  }),
);

/**
 * A history as events: the latest entries, the marker `synced`, then each new entry when it is written. The events have
 * no position: a client that was cut off starts again and gets the latest entries again.
 */
export async function* historyEvents(
  { subject: { storage, endpoint } }: History,
  request: Request,
  id: string,
  limit: number,
): AsyncGenerator<ServerEvent> {
  const view = ({ acl }: Request): View => ({
    selector: matching({ [storage.labels.subject]: id }),
    visible: ({ metadata }) => allowsOn(acl, endpoint, 'read', metadata),
  });
  const present = ({ metadata: { name }, spec }: Resource) => ({ name, spec });
  const headers = { ...request.headers, 'last-event-id': '' };
  const streams = [storage.parts, storage.gone].map((kind) =>
    watchCollection({ kind, view, present }, { ...request, headers }),
  );
  let stored: readonly HistoryEntry[] = [];
  const replaced = new Set<string>();
  let unsynced = streams.length;
  for await (const { event, data } of merged(streams)) {
    if (event === 'synced' && unsynced > 0) {
      unsynced--;
      if (unsynced > 0) continue;
      for (const entry of inOrder(stored).slice(-limit)) yield { event: 'added', data: entry };
      yield { event: 'synced', data: {} };
    } else if (event === 'added' && Part.Check(data) && !replaced.has(data.name)) {
      const { entries, replaces } = data.spec;
      for (const name of replaces ?? []) replaced.add(name);
      if (unsynced > 0) stored = isNewestFirst(data.name) ? [...entries, ...stored] : [...stored, ...entries];
      // The entries of a merged part were sent when its parts were written.
      else if (!replaces) for (const entry of entries) yield { event: 'added', data: entry };
    } else if (event === 'bookmark') yield { event, data };
    // The store cannot tell which changes this stream has missed, so the client has to start again.
    else if (event === 'reset') return;
  }
}

interface Taken<T> {
  readonly take: () => Promise<Taken<T>>;
  readonly result: IteratorResult<T>;
}

/** Merges several sources as their elements arrive, until one of them ends. */
async function* merged<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<T> {
  const waiting = new Map<Taken<T>['take'], Promise<Taken<T>>>();
  for (const source of sources) {
    const iterator = source[Symbol.asyncIterator]();
    const take = () => {
      const taken = iterator.next().then((result) => ({ take, result }));
      waiting.set(take, taken);
      // After another source has ended, no reader handles a failure of this one.
      taken.catch(() => undefined);
      return taken;
    };
    void take();
  }
  for (;;) {
    const { take, result } = await Promise.race(waiting.values());
    if (result.done) return;
    yield result.value;
    void take();
  }
}
