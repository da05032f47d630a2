import { Problem } from '@unikorn/core/errors';

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isLoopback({ hostname }: URL): boolean {
  return loopbackHosts.has(hostname);
}

/** Where browsers and clients reach the service: what is configured, never what a request claims. */
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

  /** Whether a provider may be talked to without encryption: only while everything is on one machine anyway. */
  allowsPlain(other: URL): boolean {
    return this.scheme === 'http' && other.protocol === 'http:' && isLoopback(other);
  }
}
