import type * as library from 'undici';

import { checkLiteral, guardedAgent } from './guarded-fetch.ts';
import { isPublicAddress } from './public-address.ts';

export interface DownloadOptions {
  /** Decides which addresses may be connected to; only public ones by default. */
  readonly allows?: (address: string) => boolean;
  /** A larger body fails while it is read. */
  readonly bytes: number;
  /** How many redirects are followed. Each new address is checked like the first one. */
  readonly redirects: number;
}

export interface Download {
  readonly status: number;
  /** The bytes of the body, if the server tells it. */
  readonly length?: number;
  /** It is read from the network as it is consumed, so it takes little memory. A body that ends early fails. */
  readonly body: AsyncIterable<Uint8Array>;
  /** For a body that is not consumed. */
  readonly close: () => void;
}

/**
 * Downloads something large from a URL that users provide. It never connects to an address that is not public, so it
 * cannot reach our own systems.
 *
 * @example const { status, body } = await guardedDownload({ bytes: 2 ** 30, redirects: 5 })(url, signal);
 */
export function guardedDownload({
  allows = isPublicAddress,
  bytes,
  redirects,
}: DownloadOptions): (url: string, signal: AbortSignal) => Promise<Download> {
  let agent: library.Agent | undefined;
  return async (url, signal) => {
    const undici = await import('undici');
    const dispatcher = (agent ??= guardedAgent(undici, { allows }));
    let target = url;
    for (let followed = 0; ; followed++) {
      checkLiteral(target, allows);
      const { statusCode: status, headers, body } = await undici.request(target, { dispatcher, method: 'GET', signal });
      const next = status >= 300 && status < 400 ? headers['location'] : undefined;
      if (next === undefined || followed >= redirects) {
        const length = headers['content-length'];
        return {
          status,
          ...(typeof length === 'string' ? { length: Number(length) } : {}),
          body: limited(body, bytes),
          close: () => {
            body.on('error', () => undefined).destroy();
          },
        };
      }
      await body.dump();
      target = new URL(String(next), target).href;
      if (!/^https?:/.test(target)) throw new Error('the address leads to one that is not http or https');
    }
  };
}

async function* limited(body: AsyncIterable<unknown>, bytes: number): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.length;
    if (size > bytes) throw new Error(`the response is larger than ${bytes} bytes`);
    yield chunk;
  }
}
