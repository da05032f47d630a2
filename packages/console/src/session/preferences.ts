import { useSyncExternalStore } from 'react';

import { languageOf, type Language } from '../words/language.ts';

/** Settings of this browser. They are kept in its storage; nothing secret is. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  readonly density: 'compact' | 'comfortable';
  /** The name of a time zone, such as `Europe/Berlin`; empty for that of the system. */
  readonly timeZone: string;
  readonly language: Language;
  /** Shortcuts with a single key; they can be turned off for speech input. */
  readonly singleKeys: boolean;
  /** The output of terminals is made readable for screen readers. */
  readonly screenReader: boolean;
  /** Where the user was last. */
  readonly organization: string;
  readonly project: string;
}

const key = 'unikorn.preferences';
const defaults: Preferences = {
  theme: 'system',
  density: 'compact',
  timeZone: '',
  language: 'en',
  singleKeys: true,
  screenReader: false,
  organization: '',
  project: '',
};

let current = read();
const listeners = new Set<() => void>();

function read(): Preferences {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    const text = (name: string) => {
      const value: unknown = typeof kept === 'object' && kept !== null ? Reflect.get(kept, name) : undefined;
      return typeof value === 'string' ? value : '';
    };
    const theme = text('theme');
    return {
      theme: theme === 'light' || theme === 'dark' ? theme : 'system',
      density: text('density') === 'comfortable' ? 'comfortable' : 'compact',
      timeZone: isTimeZone(text('timeZone')) ? text('timeZone') : '',
      language: languageOf(text('language')),
      singleKeys: text('singleKeys') !== 'off',
      screenReader: text('screenReader') === 'on',
      organization: text('organization'),
      project: text('project'),
    };
  } catch {
    return defaults;
  }
}

export function preferences(): Preferences {
  return current;
}

export function prefer(changes: Partial<Preferences>): void {
  current = { ...current, ...changes };
  localStorage.setItem(
    key,
    JSON.stringify({
      ...current,
      singleKeys: current.singleKeys ? 'on' : 'off',
      screenReader: current.screenReader ? 'on' : 'off',
    }),
  );
  showPreferences();
  for (const listener of listeners) listener();
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** Browsers know different zones. A name that this one does not know would make every time fail. */
export function isTimeZone(name: string): boolean {
  try {
    return name !== '' && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Puts theme, density and language on the page. */
export function showPreferences(): void {
  const dark = current.theme === 'dark' || (current.theme === 'system' && systemIsDark().matches);
  const { dataset } = document.documentElement;
  dataset['theme'] = dark ? 'dark' : 'light';
  dataset['density'] = current.density;
  document.documentElement.lang = current.language;
}

function systemIsDark(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)');
}

/** Keeps the page the same as the system, if the user wants it so. */
export function followSystemTheme(): void {
  systemIsDark().addEventListener('change', showPreferences);
}
