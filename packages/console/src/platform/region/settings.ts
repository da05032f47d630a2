/** The settings of a region as they are written: an object of JSON. */
export type Settings = Readonly<Record<string, unknown>>;

export function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function valueAt(settings: Settings, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (isSettings(value) ? value[key] : undefined), settings);
}

export function textAt(settings: Settings, path: string): string {
  const value = valueAt(settings, path);
  return typeof value === 'string' ? value : '';
}

export function listAt(settings: Settings, path: string): readonly string[] {
  const value = valueAt(settings, path);
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** The settings with another value at this path. Without a value, the path is removed, and what is then empty. */
export function withValue(settings: Settings, path: string, value: unknown): Settings {
  const [key = '', ...rest] = path.split('.');
  const below = settings[key];
  const next = rest.length === 0 ? value : withValue(isSettings(below) ? below : {}, rest.join('.'), value);
  return isEmpty(next)
    ? Object.fromEntries(Object.entries(settings).filter(([name]) => name !== key))
    : { ...settings, [key]: next };
}

/** Their settings with my changes, setting by setting. */
export function mergedSettings(opened: Settings, theirs: Settings, mine: Settings): Settings {
  const changed = Object.keys({ ...opened, ...mine }).filter(
    (key) => JSON.stringify(opened[key]) !== JSON.stringify(mine[key]),
  );
  return changed.reduce((settings, key) => withValue(settings, key, mine[key]), theirs);
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === '' ||
    (Array.isArray(value) ? value.length === 0 : isSettings(value) && Object.keys(value).length === 0)
  );
}

/** Words that are separated by spaces or commas. */
export function wordsOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
