import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { Problem } from '../../errors/index.ts';
import type { Kind, Resource } from '../../kinds/index.ts';
import { limits } from '../../limits.ts';
import { continueToken, parseContinueToken } from '../continue.ts';
import type { Selector } from '../selector.ts';
import type { ListQuery, Page } from '../store.ts';
import type { Answer, ClusterClient } from './client.ts';
import { refusalOf } from './failure.ts';
import { asResource, collectionPath, decodeObject, labelSelector } from './objects.ts';
import { statusOf } from './status.ts';
import type { Timeline } from './timeline.ts';

export interface Listing {
  readonly client: Pick<ClusterClient, 'send'>;
  readonly namespace: string;
  readonly kind: Kind;
  readonly timeline: Timeline;
}

const List = Type.Object({
  metadata: Type.Object({ resourceVersion: Type.String(), continue: Type.Optional(Type.String()) }),
  // Null if nothing matches, and only the metadata was asked for.
  items: Type.Union([Type.Array(Type.Unknown()), Type.Null()]),
});
const list = Compile(List);

type ListedChunk = Pick<Static<typeof List>, 'metadata'> & { readonly items: readonly unknown[] };

/** Where a chunk begins: at a token of the API server, at a version, or at the latest version. */
type Start = { readonly next: string } | { readonly version: string } | Record<string, never>;

const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** The usual size of an object, until objects of a kind were seen. */
const usualBytes = 4_096;

/** The average size of recently listed objects by kind. It decides how many objects a chunk may have. */
const sizes = new WeakMap<Kind, number>();

/**
 * One page of a query. The API server limits a page by its number of objects and not by its size, so a page is made of
 * chunks. If it ends within a chunk, the next page reads that chunk again and skips what the caller has.
 */
export async function listPage(listing: Listing, query: ListQuery): Promise<Page<Kind>> {
  const { kind } = listing;
  const { selector = [], limit = Infinity, bytes = Infinity } = query;
  if (!(limit >= 1)) throw new Problem('invalid_request', 'the limit of a list must be at least 1');
  const position = query.continue === undefined ? undefined : parseContinueToken(kind, selector, query.continue);
  let version = position?.version;
  let after = position?.after ?? '';
  let start: Start =
    position?.next !== undefined ? { next: position.next } : position ? { version: position.version } : {};
  const labels = labelSelector(selector);
  if (labels === undefined) return { items: [], resourceVersion: version ?? (await latestVersion(listing)) };
  const items: Resource[] = [];
  let held_bytes = 0;
  while (true) {
    const size = Math.min(limit - items.length, chunkItems(kind, bytes - held_bytes));
    const chunk = await readChunk(listing, { labels, start, limit: size });
    version ??= chunk.metadata.resourceVersion;
    const first = version;
    const token = (at: Start) =>
      continueToken(kind, selector, { version: first, after, ...('next' in at ? { next: at.next } : {}) });
    for (const [index, item] of chunk.items.entries()) {
      const object = decodeObject(kind, asResource(item));
      if (object.metadata.name <= after) continue;
      items.push(object);
      after = object.metadata.name;
      if (bytes === Infinity && items.length < limit) continue;
      if (bytes !== Infinity) held_bytes += JSON.stringify(object).length;
      const isLast = index === chunk.items.length - 1;
      if ((held_bytes >= bytes || items.length >= limit) && !isLast)
        return { items, resourceVersion: version, continue: token('next' in start ? start : {}) };
    }
    const { continue: next } = chunk.metadata;
    if (!next) return { items, resourceVersion: version };
    start = { next };
    if (held_bytes >= bytes || items.length >= limit)
      return { items, resourceVersion: version, continue: token(start) };
  }
}

/** Counts without reading the objects themselves. */
export async function countUpTo(listing: Listing, selector: Selector, most: number): Promise<number> {
  const labels = labelSelector(selector);
  let count = 0;
  let start: Start = {};
  while (labels !== undefined && count < most) {
    const size = Math.min(most - count, limits.pageItems);
    const { items, metadata } = await readChunk(listing, { labels, start, limit: size, accept: metadataOnly });
    count += items.length;
    if (!metadata.continue) break;
    start = { next: metadata.continue };
  }
  return Math.min(count, most);
}

/** The latest version, from the shortest list. */
export async function latestVersion(listing: Listing): Promise<string> {
  const { metadata } = await readChunk(listing, { labels: '', start: {}, limit: 1, accept: metadataOnly });
  return metadata.resourceVersion;
}

/** The object at this version; undefined if it did not exist then. */
export async function objectAt(listing: Listing, name: string, version: number): Promise<Resource | undefined> {
  const query = new URLSearchParams({
    fieldSelector: `metadata.name=${name}`,
    resourceVersion: String(version),
    resourceVersionMatch: 'Exact',
  });
  const answer = await read(listing, query);
  const [item] = checked(listing, answer).items;
  return item === undefined ? undefined : decodeObject(listing.kind, asResource(item));
}

/** All objects at this version, in order of name. Fails with `expired` if the API server no longer has the version. */
export async function* objectsAt(listing: Listing, version: string): AsyncGenerator<Resource> {
  let next: string | undefined;
  do {
    const query = new URLSearchParams({ limit: String(chunkItems(listing.kind, limits.listChunkBytes)) });
    if (next === undefined) {
      query.set('resourceVersion', version);
      query.set('resourceVersionMatch', 'Exact');
    } else query.set('continue', next);
    const { items, metadata } = checked(listing, await read(listing, query));
    for (const item of items) yield decodeObject(listing.kind, asResource(item));
    next = metadata.continue;
  } while (next);
}

interface Chunk {
  readonly labels: string;
  readonly start: Start;
  readonly limit: number;
  readonly accept?: string;
}

async function readChunk(listing: Listing, { labels, start, limit, accept }: Chunk): Promise<ListedChunk> {
  const query = new URLSearchParams({ limit: String(limit), ...(labels === '' ? {} : { labelSelector: labels }) });
  if ('next' in start) query.set('continue', start.next);
  else if ('version' in start) {
    query.set('resourceVersion', start.version);
    query.set('resourceVersionMatch', 'Exact');
  }
  const known = listing.timeline.latest(listing.kind);
  const answer = await read(listing, query, accept);
  if (answer.status === 410 && !isLatest(start)) return readChunk(listing, { labels, start: later(answer), limit });
  const chunk = checked(listing, answer);
  if (isLatest(start)) listing.timeline.confirm(listing.kind, chunk.metadata.resourceVersion, known);
  if (accept === undefined && chunk.items.length > 0) sizes.set(listing.kind, answer.length / chunk.items.length);
  return chunk;
}

function isLatest(start: Start): boolean {
  return !('next' in start) && !('version' in start);
}

/**
 * The version of the first page is no longer stored. The API server then offers to go on at the latest version. A
 * traversal may contain newer objects, so this loses nothing.
 */
function later({ body }: Answer): Start {
  const next = statusOf(body)?.metadata?.continue;
  return next ? { next } : {};
}

function read(
  { client, kind, namespace }: Listing,
  query: URLSearchParams,
  accept = 'application/json',
): Promise<Answer> {
  return client.send({ method: 'GET', path: `${collectionPath(kind, namespace)}?${query.toString()}`, accept });
}

function checked({ kind }: Listing, answer: Answer): ListedChunk {
  if (answer.status === 200 && list.Check(answer.body)) return { ...answer.body, items: answer.body.items ?? [] };
  throw refusalOf(answer, { kind: kind.kind });
}

function chunkItems(kind: Kind, bytes: number): number {
  const budget = Math.min(bytes, limits.listChunkBytes);
  return Math.max(1, Math.min(limits.pageItems, Math.ceil(budget / (sizes.get(kind) ?? usualBytes))));
}
