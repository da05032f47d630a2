import { guardedFetch, isPublicAddress } from '@unikorn/core/outbound';
import type { World } from '@unikorn/core/world';

import { limits, waits } from '../../limits.ts';

/** The result of reading the first bytes of an image. */
export type Head =
  | { readonly type: 'answered'; readonly status: number; readonly bytes: Uint8Array }
  /** It is, or resolves to, an address that is not allowed. */
  | { readonly type: 'internal' }
  /** It cannot be reached from here. A provider in another network may reach it. */
  | { readonly type: 'unreachable' };

/** `allows` decides which addresses may be read from; public ones by default. */
export type Probe = (uri: string, signal: AbortSignal, allows?: (address: string) => boolean) => Promise<Head>;

/**
 * Reads the start of a URL that a user provides, from allowed addresses only. A name with one address that is not
 * allowed counts as internal, because a later fetch could get that address.
 *
 * @example const head = await imageProbe(world)('https://images.example.com/noble.raw', request.signal);
 */
export function imageProbe(world: World): Probe {
  return async (uri, signal, allows = isPublicAddress) => {
    const seen = { internal: false };
    const fetchHead = guardedFetch({
      answerBytes: limits.imageHeadBytes,
      larger: 'cut',
      allows: (address) => {
        const allowed = allows(address);
        seen.internal ||= !allowed;
        return allowed;
      },
    });
    const late = new AbortController();
    const cancel = world.after(waits.imageProbe_ms, () => {
      late.abort();
    });
    const head = await follow(uri, (url) =>
      fetchHead(url, {
        method: 'GET',
        headers: { range: `bytes=0-${limits.imageHeadBytes - 1}` },
        signal: AbortSignal.any([signal, late.signal]),
      }),
    ).catch((): Head => ({ type: 'unreachable' }));
    cancel();
    return seen.internal ? { type: 'internal' } : head;
  };
}

async function follow(uri: string, fetchHead: (url: string) => Promise<Response>): Promise<Head> {
  let url = uri;
  for (let redirects = 0; ; redirects++) {
    const answer = await fetchHead(url);
    const next = answer.headers.get('location');
    if (answer.status < 300 || answer.status >= 400 || next === null || redirects === limits.imageRedirects) {
      return { type: 'answered', status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) };
    }
    url = new URL(next, url).href;
    if (!isWebAddress(url)) return { type: 'internal' };
  }
}

export function isWebAddress(uri: string): boolean {
  return URL.canParse(uri) && ['http:', 'https:'].includes(new URL(uri).protocol);
}

/** Names that only have a meaning in the local network and are never public. */
export function isLocalName(uri: string): boolean {
  return /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/i.test(new URL(uri).hostname);
}
