import { Problem } from '@unikorn/core/errors';

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isLoopback({ hostname }: URL): boolean {
  return loopbackHosts.has(hostname);
}

/** The public address of the service: from the configuration, never from a request. */
export class ExternalUrl {
  /** The issuer of tokens, without a slash at the end. */
  readonly issuer: string;
  readonly #url: URL;

  constructor(issuer: string) {
    const url = URL.parse(issuer);
    if (!url || url.search !== '' || url.hash !== '')
      throw new Problem('invalid_request', 'the issuer must be a URL without query and fragment');
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url)))
      throw new Problem(
        'invalid_request',
        'the issuer must be an https URL; http is allowed for loopback addresses only',
      );
    this.#url = url;
    this.issuer = url.href.replace(/\/$/, '');
  }

  get host(): string {
    return this.#url.host;
  }

  /** `http` or `https`. */
  get scheme(): string {
    return this.#url.protocol.slice(0, -1);
  }

  /** The prefix of every path of the service: empty, or for example `/identity`. */
  get base(): string {
    return this.#url.pathname.replace(/\/$/, '');
  }

  /** Whether a provider may be called without encryption: only if it and the platform are on the same machine. */
  allowsPlain(other: URL): boolean {
    return this.scheme === 'http' && other.protocol === 'http:' && isLoopback(other);
  }
}
