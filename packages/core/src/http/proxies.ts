import type { CertificateTrust } from '../access/index.ts';

/** The trusted proxies, in the format that Fastify takes. */
export type ProxyTrust = string[] | ((address: string, hop: number) => boolean);

/**
 * Whose `X-Forwarded-For` is trusted. Every client can write the header, so only a known proxy's value is used as the
 * client address. Without a list, a TLS terminator that forwards certificates is the one trusted proxy.
 */
export function proxyTrust(certificates: CertificateTrust, trustedProxies: readonly string[]): ProxyTrust {
  return trustedProxies.length > 0 ? [...trustedProxies] : (_address, hop) => certificates === 'forwarded' && hop === 0;
}
