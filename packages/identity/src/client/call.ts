import { Problem, wireCodes } from '@unikorn/core/errors';
import { traceHeaders } from '@unikorn/core/telemetry';

import type { IncomingResponse, OutgoingRequest, Transport } from './transport.ts';

/** Where identity is, and the way there. */
export interface Remote {
  /** Such as `https://identity.example.com`, or with a path when services share a host. */
  readonly baseUrl: string;
  readonly transport: Transport;
}

interface Call extends Pick<OutgoingRequest, 'method' | 'headers' | 'body'> {
  readonly path: `/${string}`;
}

/** Asks identity; no answer is our failure, whatever the caller asked for. */
export async function callIdentity(
  { baseUrl, transport }: Remote,
  { path, headers, ...call }: Call,
): Promise<IncomingResponse> {
  try {
    return await transport({ ...call, url: `${baseUrl}${path}`, headers: { ...traceHeaders(), ...headers } });
  } catch (cause) {
    throw unavailable(cause);
  }
}

export function unavailable(cause: unknown): Problem {
  return new Problem('unavailable', 'identity cannot be reached at the moment: try again', { cause });
}

/**
 * A refusal of identity's, to be passed on as it is. That this service itself was not let in is not the user's business, and
 * a 401 would make their client throw away a token that is good.
 */
export function problemOf({ status, body }: IncomingResponse): Problem {
  const { error, error_description: description } = fieldsOf(parseJson(body));
  const code = wireCodes.find((known) => known === error);
  if (code === undefined || typeof description !== 'string' || status >= 500 || status === 401)
    return unavailable(new Error(`identity answered ${status}: ${body.slice(0, 500)}`));
  return new Problem(code, description);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
