import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

import { watchAdditions, type Request, type ServerEvent, type View } from '../http/index.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { HistoryEntry } from './kinds.ts';

/** The parts of histories that a stream reads. */
export interface StreamedParts {
  readonly kind: Kind;
  readonly view: (request: Request) => View;
  /** The entries of a part, the oldest first. They are the same whenever the part is read. */
  readonly entriesOf: (part: Resource) => readonly unknown[];
}

/** Reads the latest entries that were written up to a version of the store, the oldest first. */
export type ReadLatest = (upTo: string) => Promise<readonly unknown[]>;

/**
 * Entries of histories as events: the latest entries, the marker `synced`, then each new entry when it is written. A
 * client that was cut off goes on after the last entry that it has, without gap or duplicate. If that is no longer
 * possible, it gets `reset` and then the latest entries again.
 */
export async function* entryEvents(
  request: Request,
  sources: readonly StreamedParts[],
  latest: ReadLatest,
): AsyncGenerator<ServerEvent> {
  const { 'last-event-id': lastId } = request.headers;
  const hasPosition = typeof lastId === 'string' && lastId !== '';
  let start = hasPosition ? positionOf(lastId, sources.length) : undefined;
  let isReset = hasPosition && !start;
  do {
    if (isReset) yield { event: 'reset', data: {} };
    const attempt = new AbortController();
    const signal = AbortSignal.any([request.signal, attempt.signal]);
    isReset = (yield* follow({ ...request, signal }, sources, latest, start)) === 'reset';
    attempt.abort();
    start = undefined;
  } while (isReset);
}

async function* follow(
  request: Request,
  sources: readonly StreamedParts[],
  latest: ReadLatest,
  start: Position | undefined,
): AsyncGenerator<ServerEvent, 'reset' | 'ended'> {
  const open = ({ kind, view, entriesOf }: StreamedParts, lastId: string) => {
    const present = (part: Resource) => ({ entries: entriesOf(part) });
    const headers = { ...request.headers, 'last-event-id': lastId };
    return watchAdditions({ kind, view, present }, { ...request, headers })[Symbol.asyncIterator]();
  };
  const streams: AsyncIterator<ServerEvent>[] = [];
  const positions = [...(start?.positions ?? [])];
  if (!start) {
    // The position is taken before the latest entries are read. The streams have everything that is written later.
    const [source] = sources;
    const stream = source && open(source, '');
    const first = await stream?.next();
    if (!stream || !first || first.done) return 'ended';
    const { id = '' } = first.value;
    streams.push(stream);
    positions.push(...sources.map(() => id));
    for (const entry of await latest(id.replace(/\..*/, ''))) yield { event: 'added', data: entry };
    yield { event: 'synced', id: idOf({ positions }), data: {} };
  }
  for (const [index, source] of sources.entries()) streams[index] ??= open(source, positions[index] ?? '');
  let partly = start?.partly;
  for await (const [index, { event, id = '', data }] of merged(streams)) {
    if (event === 'reset') return 'reset';
    if (event === 'added' && addition.Check(data)) {
      const { entries } = data;
      const sentBefore = partly?.source === index ? partly.sent : 0;
      if (sentBefore > 0) partly = undefined;
      for (let sent = sentBefore + 1; sent < entries.length; sent++)
        yield { event, id: idOf({ positions, partly: { source: index, sent } }), data: entries[sent - 1] };
      positions[index] = id;
      if (entries.length > sentBefore) yield { event, id: idOf({ positions }), data: entries.at(-1) };
    } else {
      positions[index] = id;
      if (event === 'bookmark') yield { event, id: idOf({ positions }), data };
    }
  }
  return 'ended';
}

const addition = Compile(Type.Object({ entries: Type.Array(Type.Unknown()) }));

const spec = Compile(
  Type.Object({ entries: Type.Array(HistoryEntry), replaces: Type.Optional(Type.Array(Type.String())) }),
);

/** The entries of a part that were not written before: those of a merged part were sent with its parts. */
export function unmergedEntries(part: Resource): readonly HistoryEntry[] {
  return spec.Check(part.spec) && part.spec.replaces === undefined ? part.spec.entries : [];
}

/** Where a client is in each stream of parts. */
interface Position {
  readonly positions: readonly string[];
  /** How many entries of the next part of a source were sent already. */
  readonly partly?: { readonly source: number; readonly sent: number } | undefined;
}

function idOf({ positions, partly }: Position): string {
  return [...positions, ...(partly ? [`${partly.source}-${partly.sent}`] : [])].join('_');
}

function positionOf(id: string, sources: number): Position | undefined {
  const pieces = id.split('_');
  const [positions, [last]] = [pieces.slice(0, sources), pieces.slice(sources)];
  if (pieces.length > sources + 1 || positions.length < sources || positions.includes('')) return undefined;
  if (last === undefined) return { positions };
  const [, source, sent] = /^(\d)-(\d{1,6})$/.exec(last) ?? [];
  return source === undefined || sent === undefined
    ? undefined
    : { positions, partly: { source: Number(source), sent: Number(sent) } };
}

/** Elements of several iterators as they come, with the number of the iterator, until one of them ends. */
async function* merged<T>(iterators: readonly AsyncIterator<T>[]): AsyncGenerator<readonly [number, T]> {
  const waiting = new Map(iterators.map((iterator, index) => [index, taken(iterator, index)]));
  for (;;) {
    const { index, iterator, result } = await Promise.race(waiting.values());
    if (result.done) return;
    yield [index, result.value];
    waiting.set(index, taken(iterator, index));
  }
}

function taken<T>(iterator: AsyncIterator<T>, index: number) {
  const next = iterator.next().then((result) => ({ index, iterator, result }));
  // Once another iterator has ended, a failure of this one has no reader.
  next.catch(() => undefined);
  return next;
}
