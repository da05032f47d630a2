import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { defined } from '../defined.ts';
import { Problem } from '../errors/index.ts';
import type { DeepReadonly, Resource } from '../kinds/index.ts';
import { internalLimits, limits } from '../limits.ts';
import { labels } from '../resource/index.ts';
import type { Selector, Store } from '../store/index.ts';
import { isActivity } from './entries.ts';
import { isLater } from './reading.ts';
import { HistoryEntry, type HistoryPart, type HistoryStorage } from './kinds.ts';

const recorded = HistoryEntry.properties;

/** A request that changed a resource, or tried to, or a deletion that followed from one. */
export const ActivityEntry = Type.Object(
  {
    time: recorded.time,
    actor: recorded.actor,
    action: recorded.action,
    outcome: recorded.outcome,
    message: recorded.message,
    changes: recorded.changes,
    cause: recorded.cause,
    traceId: recorded.traceId,
    resource: Type.Object({
      kind: Type.String({ description: 'such as instance, network or security-group' }),
      id: Type.String(),
      name: Type.Optional(Type.String({ description: 'the name at that time, where it is known' })),
    }),
    organizationId: Type.String(),
    projectId: Type.String({ description: 'empty if the resource belongs to no project, as an image does' }),
  },
  { $id: 'activityEntry' },
);
export type ActivityEntry = DeepReadonly<Static<typeof ActivityEntry>>;

/**
 * The part of the histories of a service that one caller may see: a selector for the store, and a function that returns
 * the resource of a part.
 */
export interface ActivityView {
  readonly selector: Selector;
  /** The resource that a part is about, or undefined if the caller may not see it. */
  readonly resourceOf: (part: Resource) => string | undefined;
}

export interface ActivityPage {
  readonly entries: readonly ActivityEntry[];
  readonly continue?: string;
}

/**
 * A page of the requests of callers, newest first. It reads the same parts as the histories: their names sort by time,
 * so a page needs about as many parts as it has entries. Parts of earlier versions come last, by resource and day.
 */
export async function readActivity(
  store: Store,
  storage: HistoryStorage,
  views: readonly ActivityView[],
  limit: number,
  { token, upTo }: { readonly token?: string | undefined; readonly upTo?: string } = {},
): Promise<ActivityPage> {
  const start = token === undefined ? { positions: [] } : positionOf(token, views.length);
  const sources = views.map((view, index) => new Source(store, storage, view, start.positions[index]));
  const entries: ActivityEntry[] = [];
  const replaced = new Set<string>();
  for (let looked = 0; looked < internalLimits.activityParts && entries.length < limit; looked++) {
    const source = await newest(sources);
    const part = await source?.peek();
    if (!source || !part) return { entries };
    const { name } = part.metadata;
    const shown =
      replaced.has(name) || isLater(part, upTo)
        ? []
        : shownOf(storage, source.view, part, part.spec.entries).toReversed();
    for (const other of part.spec.replaces ?? []) replaced.add(other);
    const left = shown.slice(start.partly?.name === name ? start.partly.shown : 0);
    const room = limit - entries.length;
    entries.push(...left.slice(0, room));
    if (left.length > room) {
      const partly = { name, shown: shown.length - left.length + room };
      return { entries, continue: tokenOf({ positions: await positionsOf(sources), partly }) };
    }
    source.take();
  }
  if (!(await newest(sources))) return { entries };
  return { entries, continue: tokenOf({ positions: await positionsOf(sources) }) };
}

/** One list of the store, part by part. */
class Source {
  readonly view: ActivityView;
  readonly #store: Store;
  readonly #storage: HistoryStorage;
  /** Where the batch begins; undefined at the beginning, and null at the end. */
  #position: string | null | undefined;
  #parts: readonly HistoryPart[] | undefined;
  #next: string | null = null;
  #taken = 0;

  constructor(store: Store, storage: HistoryStorage, view: ActivityView, position: string | null | undefined) {
    this.#store = store;
    this.#storage = storage;
    this.view = view;
    this.#position = position === '' ? undefined : position;
  }

  async peek(): Promise<HistoryPart | undefined> {
    for (;;) {
      if (this.#position === null) return undefined;
      if (!this.#parts) {
        const page = await this.#list(internalLimits.activityBatch);
        [this.#parts, this.#next, this.#taken] = [page.items, page.continue ?? null, 0];
      }
      const part = this.#parts[this.#taken];
      if (part) return part;
      [this.#position, this.#parts] = [this.#next, undefined];
    }
  }

  take(): void {
    this.#taken++;
  }

  /** Where the next page continues: after the parts that were used. */
  async position(): Promise<string | null> {
    if (this.#taken === 0 || !this.#parts) return this.#position === undefined ? '' : this.#position;
    if (this.#taken === this.#parts.length) return this.#next;
    return (await this.#list(this.#taken)).continue ?? null;
  }

  #list(limit: number) {
    return this.#store.list(this.#storage.parts, {
      selector: this.view.selector,
      limit,
      bytes: limits.pageBytes,
      ...defined({ continue: this.#position ?? undefined }),
    });
  }
}

/** Names sort from the newest to the oldest. */
async function newest(sources: readonly Source[]): Promise<Source | undefined> {
  let first: { readonly source: Source; readonly name: string } | undefined;
  for (const source of sources) {
    const name = (await source.peek())?.metadata.name;
    if (name !== undefined && (!first || name < first.name)) first = { source, name };
  }
  return first?.source;
}

/** The entries of a part that the activity shows, the oldest first. */
export function shownOf(
  { labels: { subject } }: HistoryStorage,
  { resourceOf }: ActivityView,
  part: Resource,
  entries: readonly HistoryEntry[],
): readonly ActivityEntry[] {
  const kind = resourceOf(part);
  if (kind === undefined) return [];
  const carried = part.metadata.labels ?? {};
  const { [labels.organization]: organizationId = '', [labels.project]: projectId = '' } = carried;
  const name = carried[labels.name];
  const resource = { kind, id: carried[subject] ?? '', ...defined({ name: name === '' ? undefined : name }) };
  return entries.filter(isActivity).map(({ time, action, outcome, actor, message, changes, cause, traceId }) => ({
    time,
    action,
    outcome,
    ...defined({ actor, message, changes, cause, traceId }),
    resource,
    organizationId,
    projectId,
  }));
}

const Position = Type.Object({
  /** For each list of the store: its own token, empty at the beginning, and null at the end. */
  positions: Type.Array(Type.Union([Type.String(), Type.Null()])),
  /** How many entries of the next part were shown. */
  partly: Type.Optional(Type.Object({ name: Type.String(), shown: Type.Integer({ minimum: 1 }) })),
});
type Position = DeepReadonly<Static<typeof Position>>;

const position = Compile(Position);

async function positionsOf(sources: readonly Source[]): Promise<readonly (string | null)[]> {
  return Promise.all(sources.map((source) => source.position()));
}

function tokenOf(of: Position): string {
  return Buffer.from(JSON.stringify(of)).toString('base64url');
}

function positionOf(token: string, sources: number): Position {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (position.Check(parsed) && parsed.positions.length === sources) return parsed;
  } catch {
    // The check below refuses it.
  }
  throw new Problem('invalid_request', 'query.continue: is not a token of this list; start again without it');
}
