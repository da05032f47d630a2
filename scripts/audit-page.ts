import { AuditRecord } from '@unikorn/core/http';

/** A row for each field of the schema that has a description. */
function* rows(schema: unknown, path: string): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  if ('description' in schema) yield `| \`${path}\` | ${String(schema.description)} |`;
  for (const [name, inner] of Object.entries('properties' in schema ? (schema.properties ?? {}) : {}))
    yield* rows(inner, path === '' ? name : `${path}.${name}`);
}

export function auditPage(notice: string): string {
  return [
    '# Audit records',
    '',
    `<!-- ${notice} -->`,
    '',
    'The log has one line for every request that may change something, also if it was refused. Its `message` is `audit`. Reads are not recorded. The [guide](../guides/audit.md) shows how to collect and search these lines.',
    '',
    '| Field | Meaning |',
    '|---|---|',
    '| `time` | When the response was sent, in UTC |',
    ...rows(AuditRecord, ''),
    '',
  ].join('\n');
}
