import type { Endpoints } from '@unikorn/sdk';

import { fieldsOf } from '../documents.ts';
import type { Scope } from '../nouns/noun.ts';

/** Something of the platform that a context stands on, by its id; the name is for people. */
export interface Kept {
  readonly id: string;
  readonly name: string;
}

/** The tokens of a login; the refresh token can be used once. */
export interface LoginTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When the access token ends, in ISO 8601. */
  readonly expiresAt: string;
}

/**
 * A control plane as one person uses it: where it is, as whom, and what commands are about unless they say otherwise.
 */
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

export function endpointsOf(written: unknown): string | Endpoints | undefined {
  if (typeof written === 'string') return URL.canParse(written) ? written : undefined;
  const { identity, region, compute } = fieldsOf(written);
  return isUrl(identity) && isUrl(region) && isUrl(compute) ? { identity, region, compute } : undefined;
}

function isUrl(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value);
}

/** Whether a text can be a token. One that cannot is not repeated in any message: it may be two secrets in one. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** The address that people know a control plane by. */
export function addressOf(endpoints: string | Endpoints): string {
  return typeof endpoints === 'string'
    ? endpoints.replace(/\/+$/, '')
    : endpoints.identity.replace(/\/identity\/?$/, '');
}

/** Where people log in. */
export function issuerOf(endpoints: string | Endpoints): string {
  return typeof endpoints === 'string' ? `${addressOf(endpoints)}/identity` : endpoints.identity;
}
