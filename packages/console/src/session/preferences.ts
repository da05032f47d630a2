import { useSyncExternalStore } from 'react';

/** Settings of this browser. They are kept in its storage; nothing secret is. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  readonly density: 'compact' | 'comfortable';
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
  showTheme();
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

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

/** Puts the theme on the page, and keeps it the same as that of the system if the user wants it so. */
export function showTheme(): void {
  const dark = current.theme === 'dark' || (current.theme === 'system' && systemIsDark.matches);
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
}

systemIsDark.addEventListener('change', showTheme);
