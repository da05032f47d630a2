import { internalLimits } from '../limits.ts';
import { bytesOf, inOrder, isExpendable, trimmed, withDropped, type Trimmed } from './entries.ts';
import type { HistoryPart } from './kinds.ts';
import { byAge, isCreationOf, isMergeable, isMerged, mergedName } from './names.ts';

const { historyDay: dayCapacity } = internalLimits;

/** The writes that bring a day back to few parts and within its capacity. */
export interface Merge {
  readonly merged: { readonly name: string; readonly spec: HistoryPart['spec'] };
  /** Merged parts that are shortened to make room, oldest first. */
  readonly shortened: readonly { readonly of: HistoryPart; readonly spec: HistoryPart['spec'] }[];
  /** Parts to remove once the merged part is stored. */
  readonly removed: readonly string[];
  /** How many parts of the day are left that can be merged later. */
  readonly left: number;
}

/** The parts that are not merged into another one. */
export function effective(parts: readonly HistoryPart[]): readonly HistoryPart[] {
  const replaced = new Set(parts.flatMap(({ spec }) => spec.replaces ?? []));
  return parts.filter(({ metadata }) => !replaced.has(metadata.name));
}

/**
 * Merges the oldest parts of a day. If the day is then over its capacity, older merged parts are first reduced to the
 * requests in them, and then removed. The creation part of `uid` is never merged: its name shows that the history has
 * begun.
 */
export function mergeOf(
  id: string,
  day: string,
  all: readonly HistoryPart[],
  uid: string | undefined,
): Merge | undefined {
  const present = effective(all);
  const mergeable = present
    .filter(({ metadata: { name } }) => isMergeable(name, id, day) && !(uid !== undefined && isCreationOf(name, uid)))
    .toSorted((a, b) => byAge(a.metadata.name, b.metadata.name));
  // Every process that merges chooses the same parts, so that only one of them succeeds.
  const parts = mergeable.slice(0, internalLimits.historyPartsPerMerge);
  const newest = parts.at(-1);
  if (!newest || parts.length < internalLimits.historyPartsPerMerge) return undefined;
  const merged = trimmed(inOrder(parts.flatMap(({ spec }) => spec.entries)), dayCapacity);
  const room = makeRoom(
    present
      .filter(({ metadata }) => isMerged(metadata.name))
      .toSorted((a, b) => byAge(a.metadata.name, b.metadata.name)),
    merged,
  );
  const dropped = (merged.dropped ?? 0) + sum(parts.map(({ spec }) => spec.dropped ?? 0)) + room.lost;
  const replaces = [...parts.map(({ metadata }) => metadata.name), ...room.removed];
  const leftOver = all.filter((one) => !present.includes(one)).map(({ metadata }) => metadata.name);
  return {
    merged: {
      name: mergedName(id, day, newest.metadata.name),
      spec: { ...withDropped(merged.entries, dropped), replaces },
    },
    shortened: room.shortened,
    removed: [...leftOver, ...replaces],
    left: mergeable.length - parts.length,
  };
}

interface Room {
  readonly shortened: Merge['shortened'];
  readonly removed: readonly string[];
  /** How many entries are lost with the removed parts, including those that were dropped from them before. */
  readonly lost: number;
}

function makeRoom(mergedParts: readonly HistoryPart[], { entries: added }: Trimmed): Room {
  let entries = added.length + sum(mergedParts.map(({ spec }) => spec.entries.length));
  let bytes = sum(added.map(bytesOf)) + sum(mergedParts.map(sizeOf));
  const isFull = () => entries > dayCapacity.entries || bytes > dayCapacity.bytes;
  const shortened = new Map<string, Merge['shortened'][number]>();
  for (const of of mergedParts) {
    if (!isFull()) break;
    const requests = of.spec.entries.filter((entry) => !isExpendable(entry));
    const gone = of.spec.entries.length - requests.length;
    if (gone === 0) continue;
    shortened.set(of.metadata.name, {
      of,
      spec: { ...of.spec, ...withDropped(requests, (of.spec.dropped ?? 0) + gone) },
    });
    entries -= gone;
    bytes -= sizeOf(of) - sum(requests.map(bytesOf));
  }
  const removed: string[] = [];
  let lost = 0;
  for (const of of mergedParts) {
    if (!isFull()) break;
    const spec = shortened.get(of.metadata.name)?.spec ?? of.spec;
    removed.push(of.metadata.name);
    shortened.delete(of.metadata.name);
    lost += spec.entries.length + (spec.dropped ?? 0);
    entries -= spec.entries.length;
    bytes -= sum(spec.entries.map(bytesOf));
  }
  return { shortened: [...shortened.values()], removed, lost };
}

function sizeOf({ spec }: HistoryPart): number {
  return sum(spec.entries.map(bytesOf));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
