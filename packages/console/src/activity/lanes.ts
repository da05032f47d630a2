import type { Activity } from '@unikorn/sdk';

export type Entry = Activity[number];

/** What an entry is about: a change, access to a secret or a console, the work of the platform itself, or a refusal. */
export const lanes = ['changes', 'access', 'machinery', 'refused'] as const;
export type Lane = (typeof lanes)[number];

const accesses: readonly string[] = ['sshkey', 'terminal', 'consolesession'];

export function laneOf({ action, outcome, actor, cause, resource }: Entry): Lane {
  if (outcome === 'refused') return 'refused';
  if (actor === undefined || cause !== undefined || resource.kind === 'server') return 'machinery';
  return accesses.includes(action) ? 'access' : 'changes';
}

/** The entries of one service, as far as they are read. */
export interface Part {
  readonly entries: readonly Entry[];
  /** Whether the service has older entries. */
  readonly hasMore: boolean;
}

/**
 * The entries of all services, newest first. Services are read in pages, so that one can be further back than another;
 * what is older than the place where a service is not read yet would have gaps, and is left out.
 */
export function merged(parts: readonly Part[]): readonly Entry[] {
  const horizon = parts
    .flatMap(({ entries, hasMore }) => {
      const [oldest] = entries.map(({ time }) => time).toSorted();
      return hasMore && oldest !== undefined ? [oldest] : [];
    })
    .toSorted()
    .at(-1);
  const all = new Map(parts.flatMap(({ entries }) => entries).map((entry) => [JSON.stringify(entry), entry]));
  return [...all.values()]
    .filter(({ time }) => horizon === undefined || time >= horizon)
    .toSorted((one, other) => (one.time < other.time ? 1 : one.time > other.time ? -1 : 0));
}

/** Entries that follow each other and say the same. */
export interface Fold {
  readonly entry: Entry;
  readonly times: number;
  /** The time of the first. */
  readonly since: string;
}

/** Folds repeats: the same actor did the same to the same resource, with the same outcome. */
export function folded(entries: readonly Entry[]): readonly Fold[] {
  const folds: Fold[] = [];
  for (const entry of entries) {
    const last = folds.at(-1);
    if (last && sameness(last.entry) === sameness(entry))
      folds[folds.length - 1] = { ...last, times: last.times + 1, since: entry.time };
    else folds.push({ entry, times: 1, since: entry.time });
  }
  return folds;
}

function sameness({ actor, action, outcome, message, changes, resource }: Entry): string {
  return JSON.stringify([actor, action, outcome, message, changes, resource.kind, resource.id]);
}
