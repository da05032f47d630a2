import { Configuration, type Declaration } from './schema.ts';

/** One thing that can be set. */
export interface Setting extends Declaration {
  readonly group: string;
  readonly name: string;
  /** As it is spoken of: `server.port`. */
  readonly key: string;
  /** Which values are good. */
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
