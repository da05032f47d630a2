import { useSyncExternalStore } from 'react';

import { defined } from '../defined.ts';
import { choiceParameter, textParameter, type RawSearch } from '../parts/search.ts';

/** Where a guided minute is. The address is enough to go on after a reload, or in another browser. */
export function guideSearch(search: RawSearch) {
  return defined({
    simulation: textParameter(search, 'simulation'),
    network: textParameter(search, 'network'),
    flavor: textParameter(search, 'flavor'),
    image: textParameter(search, 'image'),
    step: choiceParameter(search, 'step', ['down', 'create', 'wait', 'back', 'done']),
    instance: textParameter(search, 'instance'),
  });
}

export type GuideSearch = ReturnType<typeof guideSearch>;

/** A region that a guided minute took down, and that is not restored yet. */
export interface Rehearsal {
  readonly region: string;
  readonly name: string;
  /** The instance that the minute created. */
  readonly instance?: string;
  /** Where the minute goes on. */
  readonly search: GuideSearch;
}

/** Kept in the browser, so that the region can be restored after the person left the page or closed the tab. */
const key = 'unikorn.rehearsal';
const listeners = new Set<() => void>();
let current = read();

function read(): Rehearsal | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return isRehearsal(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function isRehearsal(value: unknown): value is Rehearsal {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['region', 'name'].every((name) => typeof Reflect.get(value, name) === 'string') &&
    typeof Reflect.get(value, 'search') === 'object'
  );
}

export function rememberRehearsal(rehearsal: Rehearsal | undefined): void {
  current = rehearsal;
  if (rehearsal) localStorage.setItem(key, JSON.stringify(rehearsal));
  else localStorage.removeItem(key);
  for (const listener of listeners) listener();
}

export function useRehearsal(): Rehearsal | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
