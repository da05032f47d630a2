import { createPublicKey, X509Certificate } from 'node:crypto';

import { Problem } from '@unikorn/core/errors';

import type { Region } from '../../kinds/index.ts';
import { overlap, parsePrefix } from '../../network/index.ts';

type OpenstackSettings = NonNullable<Region['spec']['openstack']>;

/** Refuses settings with which the cloud could not be used, and names the field. */
export function assertOpenstackSettings(settings: OpenstackSettings): void {
  const { endpoint, tls, image, network } = settings;
  if (!isPlainAddress(endpoint))
    throw refusal('endpoint', 'must be the http or https address of Keystone, without a user, a query or a fragment');
  if (tls?.authority !== undefined && !isCertificate(tls.authority))
    throw refusal('tls.authority', 'must be a certificate in PEM');
  const signingKey = image?.selector?.signingKey;
  if (signingKey !== undefined && !isElliptic(signingKey))
    throw refusal('image.selector.signingKey', 'must be a public ECDSA key in PEM');
  for (const [index, text] of (image?.privateSources ?? []).entries())
    assertPrivateSource(`image.privateSources.${index}`, text);
  const { physicalNetwork, vlan } = network?.providerNetworks ?? {};
  if (vlan && physicalNetwork === undefined)
    throw refusal('network.providerNetworks.physicalNetwork', 'must be given with vlan');
  const backwards = vlan?.segments.findIndex(({ startId, endId }) => startId > endId) ?? -1;
  if (backwards >= 0)
    throw refusal(`network.providerNetworks.vlan.segments.${backwards}`, 'startId must not be after endId');
}

/** Clouds answer with credentials at link-local addresses, so no image may come from there. */
const linkLocal = { base: 0xa9_fe_00_00, length: 16 };

function assertPrivateSource(field: string, text: string): void {
  const prefix = parsePrefix(text);
  if (!prefix || prefix.length < 8)
    throw refusal(field, 'must be an IPv4 prefix such as 10.20.0.0/16, of /8 or longer');
  if (overlap(prefix, linkLocal)) throw refusal(field, 'must not include link-local addresses (169.254.0.0/16)');
}

function refusal(field: string, why: string): Problem {
  return new Problem('unprocessable_content', `spec.openstack.${field}: ${why}`);
}

/** Credentials in an address would be readable for all who may read the settings. */
function isPlainAddress(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== '';
  } catch {
    return false;
  }
}

function isElliptic(pem: string): boolean {
  // Node derives the public key from a private one, which must not be stored here.
  if (pem.includes('PRIVATE')) return false;
  try {
    return createPublicKey(pem).asymmetricKeyType === 'ec';
  } catch {
    return false;
  }
}
