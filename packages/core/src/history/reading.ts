import { defined } from '../defined.ts';
import type { Metadata, Resource } from '../kinds/index.ts';
import { internalLimits } from '../limits.ts';
import { labels } from '../resource/index.ts';
import { compareVersions, matching, type ListQuery, type Store } from '../store/index.ts';
import { inOrder } from './entries.ts';
import type { HistoryEntry, HistoryStorage } from './kinds.ts';
import { isNewestFirst } from './names.ts';

/** Which entries of a history are read: the latest ones before a time. */
export interface Extract {
  readonly limit?: number;
  readonly before?: string;
  /** Only parts up to this version of the store: a stream shows the later ones. */
  readonly upTo?: string;
}

export interface HistoryRead {
  /** The metadata of one part for each project that the history was written in. Access is decided by its labels. */
  readonly owners: readonly Metadata[];
  readonly entries: readonly HistoryEntry[];
  /** Whether there are earlier entries. */
  readonly isPart: boolean;
  /** How many entries were removed to make room for later ones. */
  readonly dropped: number;
}

interface Versioned {
  readonly metadata: Pick<Resource['metadata'], 'resourceVersion'>;
  readonly spec: { readonly replaces?: readonly string[] };
}

/** Whether a stream that begins at this version shows the entries of a part. It does not show merged parts. */
export function isLater({ metadata, spec }: Versioned, upTo: string | undefined): boolean {
  return upTo !== undefined && spec.replaces === undefined && compareVersions(metadata.resourceVersion, upTo) > 0;
}

/**
 * The latest entries of the history of an id, the latest last.
 *
 * @example const { entries } = await readHistory(store, storage, id, { limit: 100 });
 */
export async function readHistory(
  store: Store,
  storage: HistoryStorage,
  id: string,
  { limit = Infinity, before, upTo }: Extract,
): Promise<HistoryRead> {
  const owners = new Map<string, Metadata>();
  const replaced = new Set<string>();
  let [entries, dropped, isPart]: [readonly HistoryEntry[], number, boolean] = [[], 0, false];
  for await (const { metadata, spec } of partsOf(store, storage, id)) {
    owners.set(`${metadata.labels?.[labels.organization] ?? ''}/${metadata.labels?.[labels.project] ?? ''}`, metadata);
    if (replaced.has(metadata.name) || isLater({ metadata, spec }, upTo)) continue;
    for (const name of spec.replaces ?? []) replaced.add(name);
    dropped += spec.dropped ?? 0;
    const read = spec.entries.filter(({ time }) => before === undefined || time < before);
    // Entries of the same time stay in the order in which they were written.
    entries = isNewestFirst(metadata.name) ? [...read, ...entries] : [...entries, ...read];
    if (entries.length < limit + internalLimits.historyBatch) continue;
    const kept = latest(inOrder(entries), limit);
    isPart ||= kept.length < entries.length;
    entries = kept;
  }
  const ordered = inOrder(entries);
  const kept = latest(ordered, limit);
  return { owners: [...owners.values()], entries: kept, isPart: isPart || kept.length < ordered.length, dropped };
}

/**
 * Entries of the same time stay on one page where possible, because the next page continues before the time of the
 * first entry.
 */
function latest(ordered: readonly HistoryEntry[], limit: number): readonly HistoryEntry[] {
  if (ordered.length <= limit) return ordered;
  const kept = ordered.slice(-limit);
  const torn = ordered[ordered.length - limit - 1]?.time;
  const whole = kept.filter(({ time }) => time !== torn);
  return whole.length > 0 ? whole : kept;
}

interface Part {
  readonly metadata: Resource['metadata'];
  readonly spec: {
    readonly entries: readonly HistoryEntry[];
    readonly dropped?: number;
    readonly replaces?: readonly string[];
  };
}

async function* partsOf(store: Store, storage: HistoryStorage, id: string): AsyncGenerator<Part> {
  const selector = matching({ [storage.labels.subject]: id });
  yield* listed((query) => store.list(storage.parts, { ...query, selector }));
  yield* listed((query) => storage.listGone(store, { ...query, selector }));
}

interface Listed {
  readonly items: readonly Part[];
  readonly continue?: string;
}

async function* listed(list: (query: ListQuery) => Promise<Listed>): AsyncGenerator<Part> {
  let next: string | undefined;
  do {
    const page = await list({ limit: internalLimits.historyBatch, ...defined({ continue: next }) });
    yield* page.items;
    next = page.continue;
  } while (next !== undefined);
}
