import type { CertificateTrust } from '../access/index.ts';

/** Which peers are proxies, in the form that Fastify takes. */
export type ProxyTrust = string[] | ((address: string, hop: number) => boolean);

/**
 * Whose `X-Forwarded-For` is believed: anybody can write the header, so only that of a known proxy counts, and the
 * address it saw is the client's. Without a list, a TLS terminator that forwards certificates is the one proxy in
 * front.
 */
export function proxyTrust(certificates: CertificateTrust, trustedProxies: readonly string[]): ProxyTrust {
  return trustedProxies.length > 0 ? [...trustedProxies] : (_address, hop) => certificates === 'forwarded' && hop === 0;
}
