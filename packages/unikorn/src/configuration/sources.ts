import { parse, parseDocument } from 'yaml';

import { groups, settings, settingsOf, type Setting } from './settings.ts';

/** A value and its source: a file, a variable or a flag. */
export interface Given {
  readonly setting: Setting;
  readonly value: unknown;
  readonly origin: string;
}

/** The values of a source, and the parts of it that cannot be parsed. */
export interface Reading {
  readonly given: readonly Given[];
  readonly mistakes: readonly string[];
}

export function readFileText(file: string, text: string): Reading {
  const document = parseDocument(text);
  // Further lines of a message quote the file, which may contain a secret.
  if (document.errors.length > 0)
    return refused(
      ...document.errors.map(({ message }) => `${file} is not YAML: ${message.split('\n')[0]?.replace(/:$/, '')}`),
    );
  const content: unknown = document.toJS();
  if (content === null) return { given: [], mistakes: [] };
  if (!isMap(content)) return refused(`${file} must contain groups of settings: ${listed(groups)}`);
  const readings = Object.entries(content).map(([group, values]) => readGroup(file, group, values));
  return {
    given: [...formerlyNamed(file, content), ...readings.flatMap(({ given }) => given)],
    mistakes: readings.flatMap(({ mistakes }) => mistakes),
  };
}

/** Values under keys of earlier versions. They come first, so that the present keys override them. */
function formerlyNamed(file: string, content: Readonly<Record<string, unknown>>): readonly Given[] {
  return settings.flatMap((setting) => {
    const [group = '', name = ''] = setting.formerKey?.split('.') ?? [];
    const values = content[group];
    if (!isMap(values) || !(name in values)) return [];
    return [{ setting, value: values[name], origin: `${file} (${group}.${name})` }];
  });
}

function readGroup(file: string, group: string, values: unknown): Reading {
  const known = settingsOf(group);
  if (known.length === 0) return refused(`${file}: ${group} is not a group of settings; use one of ${listed(groups)}`);
  if (values === null) return { given: [], mistakes: [] };
  if (!isMap(values)) return refused(`${file}: ${group} must contain settings: ${listed(known)}`);
  const isKnown = (name: string) =>
    known.some((setting) => setting.name === name) ||
    settings.some(({ formerKey }) => formerKey === `${group}.${name}`);
  const unknown = Object.keys(values).filter((name) => !isKnown(name));
  return {
    given: known
      .filter(({ name }) => name in values)
      .map((setting) => ({ setting, value: values[setting.name], origin: file })),
    mistakes: unknown.map((name) => `${file}: ${group}.${name} is not a setting; ${group} has ${listed(known)}`),
  };
}

/** An empty variable counts as not set, because users write `VARIABLE=` in lists of variables with this meaning. */
export function readEnvironment(environment: Readonly<Record<string, string | undefined>>): readonly Given[] {
  return settings.flatMap((setting) => {
    const text = environment[setting.environment] ?? '';
    return text === '' ? [] : [{ setting, value: valueOf(setting, text), origin: setting.environment }];
  });
}

/** The value of a variable or flag. A text that cannot be converted stays a text, and validation refuses it. */
export function valueOf({ type }: Setting, text: string): unknown {
  switch (type) {
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    case 'array':
      return yamlOr(text);
  }
}

function yamlOr(text: string): unknown {
  try {
    const value: unknown = parse(text);
    return value;
  } catch {
    return text;
  }
}

function refused(...mistakes: readonly string[]): Reading {
  return { given: [], mistakes };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listed(named: readonly { readonly name: string }[]): string {
  return named.map(({ name }) => name).join(', ');
}
