import { Document, YAMLMap } from 'yaml';

import { isSecret, type Resolved } from './resolve.ts';
import { Configuration } from './schema.ts';
import { groups, settingsOf } from './settings.ts';

const notShown = '(not shown)';

const { providers, clients } = Configuration.properties.identity.properties;
/** Fields in lists that are secrets. */
const secrets = new Set([providers.items, clients.items].flatMap(({ properties }) => secretsIn(properties)));

function secretsIn(properties: Readonly<Record<string, object>>): readonly string[] {
  return Object.entries(properties).flatMap(([name, schema]) => (isSecret(schema) ? [name] : []));
}

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
    for (const { key, name, schema } of settingsOf(group).filter(({ key }) => values.has(key))) {
      const value = isSecret(schema) ? notShown : values.get(key);
      const node = document.createNode(value, withoutSecrets, { flow: true });
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
  return typeof name === 'string' && secrets.has(name) ? notShown : value;
}
