import type { Endpoints } from '@unikorn/sdk';

import { fieldsOf } from '../documents.ts';
import type { Scope } from '../nouns/noun.ts';

/** A resource that a context refers to by id. The name is only for display. */
export interface Kept {
  readonly id: string;
  readonly name: string;
}

/** The tokens of a login. The refresh token can be used once. */
export interface LoginTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When the access token expires, in ISO 8601. */
  readonly expiresAt: string;
}

/** A control plane as one user uses it: its address, the login, and the default scopes of commands. */
export interface Context extends Readonly<Partial<Record<Scope, Kept>>> {
  /** One address for all services, or one address per service. */
  readonly endpoints: string | Endpoints;
  readonly auth: { readonly token: string } | LoginTokens;
}

/** The content of the file of contexts. */
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

/** Whether a text can be a token. Messages never repeat an invalid token, because it may contain several secrets. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** The address of a control plane as users know it. */
export function addressOf(endpoints: string | Endpoints): string {
  return typeof endpoints === 'string'
    ? endpoints.replace(/\/+$/, '')
    : endpoints.identity.replace(/\/identity\/?$/, '');
}

/** The address of the service where users log in. */
export function issuerOf(endpoints: string | Endpoints): string {
  return typeof endpoints === 'string' ? `${addressOf(endpoints)}/identity` : endpoints.identity;
}
