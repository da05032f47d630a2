/** The names of the resources that a command has read, by id. Messages of services contain ids. */
export type KnownNames = Map<string, string>;

const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const afterName = new RegExp(String.raw`(\S) \(${id}\)`, 'gi');
const any = new RegExp(String.raw`\b${id}\b`, 'gi');

/**
 * A message of a service for a person: `network web (4f…)` is `network web`, and an id whose name the command knows is
 * replaced with the name. `--debug` shows the message with its ids.
 */
export function withNames(message: string, known: ReadonlyMap<string, string> = new Map()): string {
  return message.replaceAll(afterName, '$1').replaceAll(any, (text) => known.get(text.toLowerCase()) ?? text);
}
