import { parse, stringify } from 'yaml';

import { fieldsOf, isFields } from '../documents.ts';
import { Failure } from '../failure.ts';
import { endpointsOf, isToken, scopes, type Context, type Contexts } from './contexts.ts';

export function formatContexts(contexts: Contexts): string {
  return stringify(contexts);
}

/** Parses a file that `formatContexts` or a user with an editor has written. */
export function parseContexts(text: string, file: string): Contexts {
  const written = yamlOf(text, file);
  if (written === null || written === undefined) return { contexts: {} };
  const wrong = (what: string) =>
    new Failure('usage', `${file} cannot be used: ${what}`, 'correct it, or remove it and log in again');
  if (!isFields(written) || !isFields(written['contexts'] ?? {})) throw wrong('contexts are missing');
  const { current, contexts = {} } = written;
  if (current !== undefined && typeof current !== 'string') throw wrong('current is not the name of a context');
  const known = Object.entries(contexts ?? {}).map(([name, context]) => {
    const read = contextOf(context);
    if (read === undefined) throw wrong(`the context ${name} has no valid endpoints or no valid auth`);
    return [name, read] as const;
  });
  return { ...(current === undefined ? {} : { current }), contexts: Object.fromEntries(known) };
}

function yamlOf(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new Failure(
      'usage',
      `${file} is not YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`,
      'correct it, or remove it and log in again',
    );
  }
}

function contextOf(written: unknown): Context | undefined {
  if (!isFields(written)) return undefined;
  const endpoints = endpointsOf(written['endpoints']);
  const auth = authOf(written['auth']);
  if (endpoints === undefined || auth === undefined) return undefined;
  const kept = scopes.flatMap((scope) => {
    const { id, name = id } = fieldsOf(written[scope]);
    return typeof id === 'string' && typeof name === 'string' ? [[scope, { id, name }] as const] : [];
  });
  return { endpoints, auth, ...Object.fromEntries(kept) };
}

function authOf(written: unknown): Context['auth'] | undefined {
  const { token, accessToken, refreshToken, expiresAt } = fieldsOf(written);
  if (typeof token === 'string') return isToken(token) ? { token } : undefined;
  return typeof accessToken === 'string' && typeof refreshToken === 'string' && typeof expiresAt === 'string'
    ? { accessToken, refreshToken, expiresAt }
    : undefined;
}
