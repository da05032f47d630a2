import { Document, YAMLMap } from 'yaml';

import type { Resolved } from './resolve.ts';
import { Configuration } from './schema.ts';
import { groups, settingsOf } from './settings.ts';

const { providers, clients } = Configuration.properties.identity.properties;
const secrets = new Set(
  [providers.items, clients.items].flatMap(({ properties }) =>
    Object.entries(properties).flatMap(([name, schema]) => ('writeOnly' in schema ? [name] : [])),
  ),
);

/** The configuration in the format of the file, with the source of each value beside it. Secrets are not shown. */
export function showConfiguration({ configuration, origins }: Resolved): string {
  const values = new Map<string, unknown>(
    Object.entries(configuration).flatMap(([group, content]) =>
      Object.entries<unknown>(content).map(([name, value]) => [`${group}.${name}`, value]),
    ),
  );
  const document = new Document(new YAMLMap());
  for (const { name: group } of groups) {
    const content = new YAMLMap();
    for (const { key, name } of settingsOf(group).filter(({ key }) => values.has(key))) {
      const node = document.createNode(values.get(key), withoutSecrets, { flow: true });
      node.comment = ` ${origins.get(key) ?? 'default'}`;
      content.set(name, node);
    }
    content.comment = settingsOf(group)
      .filter(({ key }) => !values.has(key))
      .map(({ name, absent }) => ` ${name}: ${absent}`)
      .join('\n');
    document.set(group, content);
  }
  return document.toString({ lineWidth: 0 });
}

function withoutSecrets(name: unknown, value: unknown): unknown {
  return typeof name === 'string' && secrets.has(name) ? '(not shown)' : value;
}
