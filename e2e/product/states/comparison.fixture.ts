import type { Facts } from './facts.fixture.ts';

/** A value that may differ from the earlier version, and the reason. */
export interface Difference {
  /** Matched with lines such as `networks frontend status.prefix: was "10.0.0.0/24", is absent`. */
  readonly where: RegExp;
  readonly why: string;
  /** It depends on the time, so it does not have to occur. */
  readonly sometimes?: true;
}

interface Window {
  readonly from: string;
  readonly to: string;
}

/** One line for each difference. */
export function differences(before: Facts, now: Facts): readonly string[] {
  const lines: string[] = [];
  const collections = new Set([...Object.keys(before.said), ...Object.keys(now.said)]);
  for (const collection of collections) {
    if (collection === 'histories') continue;
    const [was, is] = [before.said[collection] ?? {}, now.said[collection] ?? {}];
    for (const id of new Set([...Object.keys(was), ...Object.keys(is)])) {
      const name = `${collection} ${nameOf(was[id] ?? is[id]) ?? id}`;
      if (!(id in is)) lines.push(`${name} (${id}): no longer exists`);
      else if (!(id in was)) lines.push(`${name} (${id}): is new`);
      else
        lines.push(
          ...within(
            plain(was[id], { from: before.madeAt, to: before.readAt }),
            plain(is[id], { from: before.madeAt, to: now.readAt }),
          ).map((line) => `${name} ${line}`),
        );
    }
  }
  return lines.toSorted();
}

/** History entries that are missing or in another order. Entries that were added since the start do not matter. */
export function forgotten(before: Facts, now: Facts): readonly string[] {
  const lines: string[] = [];
  for (const [instance, was] of Object.entries(before.said['histories'] ?? {})) {
    const name = nameOf(before.said['instances']?.[instance]) ?? instance;
    const told = entriesOf(now.said['histories']?.[instance]).map((entry) => JSON.stringify(sorted(entry)));
    let after = -1;
    for (const entry of entriesOf(was).filter(({ time }) => time < before.madeAt)) {
      const at = told.indexOf(JSON.stringify(sorted(entry)));
      if (at === -1) lines.push(`${name} forgot ${JSON.stringify(entry)}`);
      else if (at < after) lines.push(`${name} has in another order ${JSON.stringify(entry)}`);
      after = Math.max(after, at);
    }
  }
  return lines;
}

/** Lines that no listed difference allows, and listed differences that do not occur. */
export function unexplained(
  lines: readonly string[],
  allowed: readonly Difference[],
): { readonly unexpected: readonly string[]; readonly stale: readonly string[] } {
  return {
    unexpected: lines.filter((line) => !allowed.some(({ where }) => where.test(line))),
    stale: allowed
      .filter(({ where, sometimes }) => !sometimes && !lines.some((line) => where.test(line)))
      .map(({ where, why }) => `${where.source} (${why})`),
  };
}

interface Entry {
  readonly time: string;
}

function entriesOf(history: unknown): readonly Entry[] {
  return Array.isArray(history) ? (history as readonly Entry[]) : [];
}

function sorted(entry: object): object {
  return Object.fromEntries(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function nameOf(said: unknown): string | undefined {
  const { metadata, spec } = (said ?? {}) as {
    readonly metadata?: { readonly name?: string };
    readonly spec?: { readonly subject?: string };
  };
  return spec?.subject ?? metadata?.name;
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** The differences between two values, at the innermost place where both have a value. */
function within(was: unknown, is: unknown, path = ''): readonly string[] {
  if (isRecord(was) && isRecord(is)) {
    return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((key) =>
      within(was[key], is[key], path === '' ? key : `${path}.${key}`),
    );
  }
  return shown(was) === shown(is) ? [] : [`${path}: was ${shown(was)}, is ${shown(is)}`];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}

/** Replaces times after the creation of the state, because they differ in every run. */
function plain(value: unknown, window: Window): unknown {
  if (isRecord(value)) {
    const entries = Object.entries(value).map(([key, inner]) => [key, plain(inner, window)] as const);
    return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
  }
  return typeof value === 'string' && isWithin(value, window) ? 'a time since the start' : value;
}

/** Stored times have whole seconds, so a rounded time may seem to be earlier. */
function isWithin(text: string, { from, to }: Window): boolean {
  return time.test(text) && Date.parse(text) >= Date.parse(from) - 1_000 && Date.parse(text) <= Date.parse(to) + 1_000;
}
