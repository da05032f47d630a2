import type { Facts } from './facts.fixture.ts';

/** Something that may read differently than before, and why. */
export interface Difference {
  /** Matched with lines such as `networks frontend status.prefix: was "10.0.0.0/24", is absent`. */
  readonly where: RegExp;
  readonly why: string;
  /** It depends on the hour, so it need not be there each time. */
  readonly sometimes?: true;
}

interface Window {
  readonly from: string;
  readonly to: string;
}

/** One line for everything that reads differently. */
export function differences(before: Facts, now: Facts): readonly string[] {
  const lines: string[] = [];
  const collections = new Set([...Object.keys(before.said), ...Object.keys(now.said)]);
  for (const collection of collections) {
    if (collection === 'histories') continue;
    const [was, is] = [before.said[collection] ?? {}, now.said[collection] ?? {}];
    for (const id of new Set([...Object.keys(was), ...Object.keys(is)])) {
      const [old, present] = [leaves(was[id], { from: before.madeAt, to: before.readAt }), leaves(is[id], { from: before.madeAt, to: now.readAt })];
      const name = `${collection} ${nameOf(was[id] ?? is[id]) ?? id}`;
      if (!(id in is)) lines.push(`${name} (${id}): is gone`);
      else if (!(id in was)) lines.push(`${name} (${id}): is new`);
      else for (const path of new Set([...old.keys(), ...present.keys()])) if (old.get(path) !== present.get(path)) lines.push(`${name} ${path}: was ${old.get(path) ?? 'absent'}, is ${present.get(path) ?? 'absent'}`);
    }
  }
  return lines.toSorted();
}

/** What histories no longer tell, or tell in another order. What was added since the start does not matter. */
export function forgotten(before: Facts, now: Facts): readonly string[] {
  const lines: string[] = [];
  for (const [instance, was] of Object.entries(before.said['histories'] ?? {})) {
    const name = nameOf(before.said['instances']?.[instance]) ?? instance;
    const told = entriesOf(now.said['histories']?.[instance]).map((entry) => JSON.stringify(sorted(entry)));
    let after = -1;
    for (const entry of entriesOf(was).filter(({ time }) => time < before.madeAt)) {
      const at = told.indexOf(JSON.stringify(sorted(entry)));
      if (at === -1) lines.push(`${name} forgot ${JSON.stringify(entry)}`);
      else if (at < after) lines.push(`${name} tells out of order ${JSON.stringify(entry)}`);
      after = Math.max(after, at);
    }
  }
  return lines;
}

/** Lines that no listed difference allows, and listed differences that do not occur. */
export function unexplained(lines: readonly string[], allowed: readonly Difference[]): { readonly unexpected: readonly string[]; readonly stale: readonly string[] } {
  return {
    unexpected: lines.filter((line) => !allowed.some(({ where }) => where.test(line))),
    stale: allowed.filter(({ where, sometimes }) => !sometimes && !lines.some((line) => where.test(line))).map(({ where, why }) => `${where.source} (${why})`),
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
  const { metadata, spec } = (said ?? {}) as { readonly metadata?: { readonly name?: string }; readonly spec?: { readonly subject?: string } };
  return spec?.subject ?? metadata?.name;
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Every value by where it is. Times from after the state was made are all alike: no two runs have the same. */
function leaves(value: unknown, window: Window, path = '', found = new Map<string, string>()): Map<string, string> {
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (entries.length === 0) found.set(path, Array.isArray(value) ? '[]' : '{}');
    for (const [key, inner] of entries) leaves(inner, window, path === '' ? key : `${path}.${key}`, found);
  } else found.set(path, typeof value === 'string' && isWithin(value, window) ? 'a time since the start' : JSON.stringify(value));
  return found;
}

/** Stored times have whole seconds, so one that was rounded down may seem to be from before. */
function isWithin(text: string, { from, to }: Window): boolean {
  return time.test(text) && Date.parse(text) >= Date.parse(from) - 1_000 && Date.parse(text) <= Date.parse(to) + 1_000;
}
