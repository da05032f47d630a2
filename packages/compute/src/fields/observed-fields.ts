import { entriesOf, valueAt } from './paths.ts';
import { statusFields, type ObservedServer } from './status-fields.ts';

const followers = entriesOf(statusFields).flatMap(([stored, { server }]) =>
  server === 'none' ? [] : [{ ...server, stored, path: server.observed.split('.') }],
);

/** A status field of an instance, with the value that its server gives it. Undefined means that it is cleared. */
interface ObservedValue {
  readonly stored: keyof typeof statusFields;
  readonly words: string;
  readonly value: unknown;
}

/**
 * The status fields that an instance must show for this server. Fields whose last value is kept are left out. The
 * controller writes these fields, and the monitor checks them.
 */
export function observedFields(server: ObservedServer | undefined): readonly ObservedValue[] {
  return followers
    .map(({ stored, words, path, missing }) => ({ stored, words, value: valueAt(server, path), missing }))
    .filter(({ value, missing }) => value !== undefined || missing(server) === 'clear')
    .map(({ stored, words, value }) => ({ stored, words, value }));
}
