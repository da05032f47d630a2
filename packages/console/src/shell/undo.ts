import { useSyncExternalStore } from 'react';

/** One change that can be taken back. */
export interface Restoration {
  /** The name of the resource that was changed. */
  readonly name: string;
  /** Writes the old value back. Answers false if another user changed it since; then nothing is written. */
  readonly restore: () => Promise<boolean>;
}

/** A resource that stays as it is, although the user wanted to undo its change. */
export interface Kept {
  readonly name: string;
  /** The refusal of the service. Without one, another user changed the resource since. */
  readonly error?: Error;
}

export interface Undo {
  /** Which offer it is, so that a new one begins with its whole time. */
  readonly number: number;
  /** What was done, such as `The tags of web-1 were changed.` */
  readonly done: string;
  readonly restorations: readonly Restoration[];
  readonly state: 'offered' | 'running' | 'undone' | 'kept';
  readonly kept: readonly Kept[];
}

let current: Undo | undefined;
let offers = 0;
const listeners = new Set<() => void>();

function set(undo: Undo | undefined): void {
  current = undo;
  for (const listener of listeners) listener();
}

/** Offers to undo a change for a short time. Only for changes whose old value can be written back. */
export function offerUndo(done: string, restorations: readonly Restoration[]): void {
  if (restorations.length === 0) return;
  offers += 1;
  set({ number: offers, done, restorations, state: 'offered', kept: [] });
}

/** Undoes the change that is offered. What could not be undone is said, and stays on the screen. */
export async function runUndo(): Promise<void> {
  if (current?.state !== 'offered') return;
  const undo: Undo = { ...current, state: 'running' };
  set(undo);
  const kept = await restoreAll(undo.restorations);
  // A newer change may have taken its place.
  if (current === undo) set({ ...undo, state: kept.length === 0 ? 'undone' : 'kept', kept });
}

/** Takes back each change, one after the other, and says which ones stay. */
export async function restoreAll(restorations: readonly Restoration[]): Promise<readonly Kept[]> {
  const kept: Kept[] = [];
  for (const { name, restore } of restorations) {
    try {
      if (!(await restore())) kept.push({ name });
    } catch (error) {
      kept.push({ name, error: error instanceof Error ? error : new Error(String(error)) });
    }
  }
  return kept;
}

export function dismissUndo(): void {
  set(undefined);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useUndo(): Undo | undefined {
  return useSyncExternalStore(subscribe, () => current);
}
