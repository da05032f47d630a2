import { Configuration, type Declaration } from './schema.ts';

/** One setting. */
export interface Setting extends Declaration {
  readonly group: string;
  readonly name: string;
  /** Its key in messages, such as `server.port`. */
  readonly key: string;
  /** The allowed values. */
  readonly schema: Declaration;
}

export const groups: readonly { readonly name: string; readonly description: string }[] = Object.entries(
  Configuration.properties,
).map(([name, { description }]) => ({ name, description }));

export const settings: readonly Setting[] = Object.entries(Configuration.properties).flatMap(
  ([group, { properties }]) =>
    Object.entries<Declaration>(properties).map(([name, schema]) => ({
      ...schema,
      group,
      name,
      key: `${group}.${name}`,
      schema,
    })),
);

export function settingsOf(group: string): readonly Setting[] {
  return settings.filter((setting) => setting.group === group);
}
