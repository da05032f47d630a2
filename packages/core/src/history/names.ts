import type { Resource } from '../kinds/index.ts';

type Named = Pick<Resource, 'metadata'>;

type Sort = 'merged' | 'entries' | 'creation';

/**
 * Names of parts sort by time, the newest first, so that the store lists recent activity without a scan. Parts of the
 * same time sort by their letter: a merged part comes before the parts that it replaces, so a reader knows to ignore
 * them. The creation comes last.
 */
const letters: Readonly<Record<Sort, string>> = { merged: 'a', entries: 'b', creation: 'c' };

/** The letters of earlier versions, whose names sort by object and day, the oldest first. */
const formerLetters: Readonly<Record<Sort, string>> = { merged: 'a', creation: 'b', entries: 'c' };

/** Sorts before every name of an earlier version, which begins with the id of the object. */
const prefix = '0-';

/** 36 ** 9 milliseconds are more than 3,000 years. */
const latest = 36 ** 9 - 1;
const digits = 9;

/**
 * Whether parts with such names are listed from the newest to the oldest. Parts of earlier versions are listed from the
 * oldest.
 */
export function isNewestFirst(name: string): boolean {
  return name.startsWith(prefix);
}

interface Written {
  readonly id: string;
  readonly day: string;
  /** In milliseconds. */
  readonly time: number;
  readonly unique: string;
}

function nameOf(letter: string, { id, day, time, unique }: Written): string {
  return [`${prefix}${(latest - time).toString(36).padStart(digits, '0')}`, letter, id, day, unique].join('.');
}

/** The name of a part with entries that are written together. */
export function entriesName(written: Written): string {
  return nameOf(letters.entries, written);
}

/** The name of the first part of an object's history. It is derived from the object, so that there is at most one. */
export function creationName({ metadata: { name, uid, creationTimestamp } }: Named): string {
  const [day, time] = [creationTimestamp.slice(0, 10), Date.parse(creationTimestamp)];
  return nameOf(letters.creation, { id: name, day, time, unique: uid });
}

/** The name that earlier versions gave to the same part. */
export function formerCreationName({ metadata: { name, uid, creationTimestamp } }: Named): string {
  return [name, creationTimestamp.slice(0, 10), formerLetters.creation, uid].join('.');
}

/**
 * The name of a merged part. It is derived from the newest of the parts, and sorts before it. If two processes merge
 * the same parts, the second write is refused.
 */
export function mergedName(id: string, day: string, newest: string): string {
  const { time, unique } = parsed(newest) ?? { time: 0, unique: '' };
  return nameOf(letters.merged, { id, day, time, unique });
}

/** Oldest first. */
export function byAge(a: string, b: string): number {
  const difference = (parsed(a)?.time ?? 0) - (parsed(b)?.time ?? 0);
  if (difference !== 0) return difference;
  return a < b === isNewestFirst(a) ? 1 : -1;
}

/** Whether a part of this day may be merged with others. Earlier versions wrote everything of a day into one object. */
export function isMergeable(name: string, id: string, day: string): boolean {
  const part = parsed(name);
  return part !== undefined && part.id === id && part.day === day && part.sort !== 'merged';
}

/** Whether a part was merged from others, or contains a whole day. */
export function isMerged(name: string): boolean {
  return (parsed(name)?.sort ?? 'merged') === 'merged';
}

export function isCreationOf(name: string, uid: string): boolean {
  const part = parsed(name);
  return part?.sort === 'creation' && part.unique === uid;
}

interface Parsed {
  readonly sort: Sort;
  readonly id: string;
  readonly day: string;
  readonly unique: string;
  readonly time: number;
}

function parsed(name: string): Parsed | undefined {
  return isNewestFirst(name) ? parsedPresent(name) : parsedFormer(name);
}

function parsedPresent(name: string): Parsed | undefined {
  const [time = '', letter, id, day, unique] = name.split('.');
  const sort = sortOf(letters, letter);
  if (sort === undefined || id === undefined || day === undefined || unique === undefined) return undefined;
  return { sort, id, day, unique, time: latest - Number.parseInt(time.slice(prefix.length), 36) };
}

function parsedFormer(name: string): Parsed | undefined {
  const [id, day, letter, unique] = name.split('.');
  const sort = sortOf(formerLetters, letter);
  if (sort === undefined || id === undefined || day === undefined || unique === undefined) return undefined;
  const time = sort === 'entries' ? Number.parseInt(unique.split('-')[0] ?? '', 36) : Date.parse(day);
  return { sort, id, day, unique, time };
}

function sortOf(of: typeof letters, letter: string | undefined): Sort | undefined {
  const sorts: readonly Sort[] = ['merged', 'entries', 'creation'];
  return sorts.find((sort) => of[sort] === letter);
}

/** The name of the record of a deleted object. These names sort by the time of the deletion. */
export function goneName({ metadata: { uid } }: Named, deletedAt: string): string {
  return `${deletedAt.replaceAll(/\D/g, '').slice(0, 14)}.${uid}`;
}
