import type { InstanceHistory } from '../kinds/index.ts';
import { bytesOf, fitted, inOrder, isExpendable, withDropped, type Kept } from './entries.ts';
import { isBirthOf, isPart, volumeName } from './names.ts';

/** More than people and a healthy controller do in a day. */
export const dayRoom = { entries: 2_000, bytes: 512 * 1024 } as const;

/** As many parts of a day are put together. */
export const partsPerVolume = 32;

/** What is to be done so that a day has few parts and is not too large. */
export interface Fold {
  readonly volume: { readonly name: string; readonly spec: InstanceHistory['spec'] };
  /** What is shortened to make room, oldest first. */
  readonly shortened: readonly { readonly of: InstanceHistory; readonly spec: InstanceHistory['spec'] }[];
  /** What goes once the volume is stored. */
  readonly removed: readonly string[];
}

/** Those that count: not those that another one was put together from. */
export function counting(parts: readonly InstanceHistory[]): readonly InstanceHistory[] {
  const replaced = new Set(parts.flatMap(({ spec }) => spec.replaces ?? []));
  return parts.filter(({ metadata }) => !replaced.has(metadata.name));
}

/**
 * Puts the parts of a day together, each once. If the day is too large then, older volumes are first shortened to what people
 * asked for, and then removed; each at most once. Where the life of `uid` begins stays a part, because it says that this was told.
 */
export function foldOf(
  id: string,
  day: string,
  all: readonly InstanceHistory[],
  uid: string | undefined,
): Fold | undefined {
  const present = counting(all);
  const parts = present.filter(
    ({ metadata: { name } }) =>
      isPart(name) && name.startsWith(`${id}.${day}.`) && !(uid !== undefined && isBirthOf(name, uid)),
  );
  const [first] = parts;
  if (!first || parts.length < partsPerVolume) return undefined;
  const merged = fitted(inOrder(parts.flatMap(({ spec }) => spec.entries)), dayRoom);
  const room = makeRoom(
    present.filter(({ metadata }) => !isPart(metadata.name)),
    merged,
  );
  const dropped = (merged.dropped ?? 0) + sum(parts.map(({ spec }) => spec.dropped ?? 0)) + room.lost;
  const replaces = [...parts.map(({ metadata }) => metadata.name), ...room.removed];
  const leftOver = all.filter((one) => !present.includes(one)).map(({ metadata }) => metadata.name);
  return {
    volume: {
      name: volumeName(id, day, first.metadata.name),
      spec: { ...withDropped(merged.entries, dropped), replaces },
    },
    shortened: room.shortened,
    removed: [...leftOver, ...replaces],
  };
}

interface Room {
  readonly shortened: Fold['shortened'];
  readonly removed: readonly string[];
  /** How many entries were in what is removed, with what had given way there before. */
  readonly lost: number;
}

function makeRoom(volumes: readonly InstanceHistory[], { entries: added }: Kept): Room {
  let entries = added.length + sum(volumes.map(({ spec }) => spec.entries.length));
  let bytes = sum(added.map(bytesOf)) + sum(volumes.map(sizeOf));
  const isFull = () => entries > dayRoom.entries || bytes > dayRoom.bytes;
  const shortened = new Map<string, Fold['shortened'][number]>();
  for (const of of volumes) {
    if (!isFull()) break;
    const asked = of.spec.entries.filter((entry) => !isExpendable(entry));
    const gone = of.spec.entries.length - asked.length;
    if (gone === 0) continue;
    shortened.set(of.metadata.name, { of, spec: { ...of.spec, ...withDropped(asked, (of.spec.dropped ?? 0) + gone) } });
    entries -= gone;
    bytes -= sizeOf(of) - sum(asked.map(bytesOf));
  }
  const removed: string[] = [];
  let lost = 0;
  for (const of of volumes) {
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

function sizeOf({ spec }: InstanceHistory): number {
  return sum(spec.entries.map(bytesOf));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
