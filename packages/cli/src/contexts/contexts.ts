import { parse, stringify } from 'yaml';

import type { Endpoints } from '@unikorn/sdk';

import { Failure } from '../failure.ts';
import type { Scope } from '../nouns/noun.ts';

/** Something of the platform that a context stands on, by its id; the name is for people. */
export interface Kept {
  readonly id: string;
  readonly name: string;
}

/** What somebody who logged in holds; the refresh token is good once. */
export interface LoginTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When the access token ends, in ISO 8601. */
  readonly expiresAt: string;
}

/** A control plane as one person uses it: where it is, as whom, and what commands are about unless they say otherwise. */
export interface Context extends Readonly<Partial<Record<Scope, Kept>>> {
  /** One address under which there are all services, or one for each. */
  readonly endpoints: string | Endpoints;
  readonly auth: { readonly token: string } | LoginTokens;
}

/** All that the file of contexts holds. */
export interface Contexts {
  readonly current?: string;
  readonly contexts: Readonly<Record<string, Context>>;
}

export const scopes = ['organization', 'project', 'region'] as const satisfies readonly Scope[];

export function formatContexts(contexts: Contexts): string {
  return stringify(contexts);
}

/** Reads what `formatContexts` wrote, or somebody in an editor. */
export function parseContexts(text: string, file: string): Contexts {
  const written = yamlOf(text, file);
  if (written === null || written === undefined) return { contexts: {} };
  const wrong = (what: string) => new Failure('usage', `${file} cannot be used: ${what}`, 'correct it, or remove it and log in again');
  if (!isRecord(written) || !isRecord(written['contexts'] ?? {})) throw wrong('it has no contexts');
  const { current, contexts = {} } = written;
  if (current !== undefined && typeof current !== 'string') throw wrong('current is not the name of a context');
  const known = Object.entries(contexts ?? {}).map(([name, context]) => {
    const read = contextOf(context);
    if (read === undefined) throw wrong(`the context ${name} has no endpoints or no auth that could be used`);
    return [name, read] as const;
  });
  return { ...(current === undefined ? {} : { current }), contexts: Object.fromEntries(known) };
}

function yamlOf(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new Failure('usage', `${file} is not YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`, 'correct it, or remove it and log in again');
  }
}

function contextOf(written: unknown): Context | undefined {
  if (!isRecord(written)) return undefined;
  const endpoints = endpointsOf(written['endpoints']);
  const auth = authOf(written['auth']);
  if (endpoints === undefined || auth === undefined) return undefined;
  const kept = scopes.flatMap((scope) => {
    const { id, name = id } = recordOf(written[scope]);
    return typeof id === 'string' && typeof name === 'string' ? [[scope, { id, name }] as const] : [];
  });
  return { endpoints, auth, ...Object.fromEntries(kept) };
}

export function endpointsOf(written: unknown): string | Endpoints | undefined {
  if (typeof written === 'string') return URL.canParse(written) ? written : undefined;
  const { identity, region, compute } = recordOf(written);
  return isUrl(identity) && isUrl(region) && isUrl(compute) ? { identity, region, compute } : undefined;
}

function authOf(written: unknown): Context['auth'] | undefined {
  const { token, accessToken, refreshToken, expiresAt } = recordOf(written);
  if (typeof token === 'string') return { token };
  return typeof accessToken === 'string' && typeof refreshToken === 'string' && typeof expiresAt === 'string' ? { accessToken, refreshToken, expiresAt } : undefined;
}

function isUrl(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** The address that people know a control plane by. */
export function addressOf(endpoints: string | Endpoints): string {
  return typeof endpoints === 'string' ? endpoints.replace(/\/+$/, '') : endpoints.identity.replace(/\/identity\/?$/, '');
}

/** Where people log in. */
export function issuerOf(endpoints: string | Endpoints): string {
  return typeof endpoints === 'string' ? `${addressOf(endpoints)}/identity` : endpoints.identity;
}
