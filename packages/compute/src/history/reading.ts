import { defined } from '@unikorn/core/defined';
import type { Kind, Metadata, Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';

import { GoneInstance, historyLabels, InstanceHistory, type HistoryEntry } from '../kinds/index.ts';
import { inOrder } from './entries.ts';

/** Which part of a history is read: of what was before a time, the latest. */
export interface Extract {
  readonly limit?: number;
  readonly before?: string;
}

export interface HistoryRead {
  /** Whose it is, by the metadata of what it is kept in; once for each project. */
  readonly owners: readonly Metadata[];
  readonly entries: readonly HistoryEntry[];
  /** Whether there is more before these. */
  readonly isPart: boolean;
  /** How many entries gave way to later ones. */
  readonly dropped: number;
}

/** As many objects are read at once, and as few entries more than asked for are held. */
const batch = 100;

/** The latest entries of what is told of an instance, the latest last. */
export async function readHistory(
  store: Store,
  id: string,
  { limit = Infinity, before }: Extract,
): Promise<HistoryRead> {
  const owners = new Map<string, Metadata>();
  const replaced = new Set<string>();
  let [entries, dropped, isPart]: [readonly HistoryEntry[], number, boolean] = [[], 0, false];
  for await (const { metadata, spec } of partsOf(store, id)) {
    owners.set(`${metadata.labels?.[labels.organization] ?? ''}/${metadata.labels?.[labels.project] ?? ''}`, metadata);
    if (replaced.has(metadata.name)) continue;
    for (const name of spec.replaces ?? []) replaced.add(name);
    dropped += spec.dropped ?? 0;
    entries = [...entries, ...spec.entries.filter(({ time }) => before === undefined || time < before)];
    if (entries.length < limit + batch) continue;
    const kept = latest(inOrder(entries), limit);
    isPart ||= kept.length < entries.length;
    entries = kept;
  }
  const ordered = inOrder(entries);
  const kept = latest(ordered, limit);
  return { owners: [...owners.values()], entries: kept, isPart: isPart || kept.length < ordered.length, dropped };
}

/** What happened at the same instant is not torn apart, as far as that is possible: the next page goes on before the first of these. */
function latest(ordered: readonly HistoryEntry[], limit: number): readonly HistoryEntry[] {
  if (ordered.length <= limit) return ordered;
  const kept = ordered.slice(-limit);
  const torn = ordered[ordered.length - limit - 1]?.time;
  const whole = kept.filter(({ time }) => time !== torn);
  return whole.length > 0 ? whole : kept;
}

interface Part {
  readonly metadata: Metadata;
  readonly spec: {
    readonly entries: readonly HistoryEntry[];
    readonly dropped?: number;
    readonly replaces?: readonly string[];
  };
}

async function* partsOf(store: Store, id: string): AsyncGenerator<Part> {
  const selector = matching({ [historyLabels.instance]: id });
  yield* listed(store, InstanceHistory, selector);
  yield* listed(store, GoneInstance, selector);
}

async function* listed<K extends Kind>(
  store: Store,
  kind: K,
  selector: ReturnType<typeof matching>,
): AsyncGenerator<Resource<K>> {
  let next: string | undefined;
  do {
    const page = await store.list(kind, { selector, limit: batch, ...defined({ continue: next }) });
    yield* page.items;
    next = page.continue;
  } while (next !== undefined);
}
