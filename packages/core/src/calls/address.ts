import type { ServiceCall } from './calls.ts';

/** Path and query of a call, encoded. */
export function addressOf({ path, params = {}, query = {} }: ServiceCall): string {
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(required(params, name, path)));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).flatMap((each: unknown) => pairOf(name, each)),
    ),
  ).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

function required(params: Readonly<Record<string, string>>, name: string, path: string): string {
  const value = params[name];
  if (value === undefined) throw new Error(`a call of ${path} has no value for ${name}`);
  return value;
}

function pairOf(name: string, value: unknown): [string, string][] {
  switch (typeof value) {
    case 'undefined':
      return [];
    case 'string':
    case 'number':
    case 'boolean':
      return [[name, String(value)]];
    case 'bigint':
    case 'function':
    case 'object':
    case 'symbol':
      throw new Error(
        `query variable ${name} cannot be sent: it must be a string, a number, a boolean, or a list of these`,
      );
  }
}
