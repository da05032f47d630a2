import { createPrivateKey, generateKeyPairSync, hash, sign, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** A certificate and its key, in PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface TestAuthority {
  /** The certificate of the authority, in PEM. */
  readonly certificate: string;
  /** A new certificate with this common name, for 127.0.0.1, localhost, and these names and IPv4 addresses. */
  issue(commonName: string, hosts?: readonly string[]): KeyPair;
}

/**
 * A certificate authority for tests of TLS between services.
 *
 * @example const { certificate, key } = testAuthority().issue('unikorn-compute');
 */
export function testAuthority(name = 'test authority'): TestAuthority {
  const own = newKey();
  const { certificate } = signed({ subject: name, publicKey: own.publicKey, issuer: name, signer: own.privateKey });
  return {
    certificate,
    issue: (commonName, hosts = []) => {
      const { publicKey, privateKey } = newKey();
      const issued = signed({ subject: commonName, publicKey, issuer: name, signer: own.privateKey, hosts });
      return { ...issued, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
    },
  };
}

function newKey(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { publicKey, privateKey: createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })) };
}

interface Unsigned {
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly issuer: string;
  readonly signer: KeyObject;
  /** The hosts of a certificate that is not an authority, besides this machine. */
  readonly hosts?: readonly string[];
}

/** The fields of a certificate as RFC 5280 defines them, in DER. */
function signed({ subject, publicKey, issuer, signer, hosts }: Unsigned): { readonly certificate: string } {
  const algorithm = sequence(identifier('2a8648ce3d040302'));
  const constraints = hosts ? sequence() : sequence(element(0x01, Buffer.from([0xff])));
  const extensions = [
    extension('551d13', true, constraints),
    ...(hosts ? [extension('551d11', false, sequence(...['localhost', '127.0.0.1', ...hosts].map(alternative)))] : []),
  ];
  const fields = sequence(
    element(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), serialOf(publicKey)])),
    algorithm,
    nameOf(issuer),
    sequence(time('20200101000000Z'), time('21200101000000Z')),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(...extensions)),
  );
  const signature = element(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', fields, signer)]));
  const lines = sequence(fields, algorithm, signature)
    .toString('base64')
    .replaceAll(/(.{64})(?=.)/g, '$1\n');
  return { certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` };
}

function alternative(host: string): Buffer {
  return isIPv4(host) ? element(0x87, Buffer.from(host.split('.').map(Number))) : element(0x82, Buffer.from(host));
}

/** A number that differs for every key. */
function serialOf(publicKey: KeyObject): Buffer {
  return hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'buffer').subarray(0, 15);
}

function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...elements: readonly Buffer[]): Buffer {
  return element(0x30, Buffer.concat(elements));
}

function integer(content: Buffer): Buffer {
  return element(0x02, content);
}

function identifier(hex: string): Buffer {
  return element(0x06, Buffer.from(hex, 'hex'));
}

function time(text: string): Buffer {
  return element(0x18, Buffer.from(text));
}

/** A name that consists of a common name. */
function nameOf(commonName: string): Buffer {
  return sequence(element(0x31, sequence(identifier('550403'), element(0x0c, Buffer.from(commonName)))));
}

function extension(id: string, critical: boolean, content: Buffer): Buffer {
  const flag = critical ? [element(0x01, Buffer.from([0xff]))] : [];
  return sequence(identifier(id), ...flag, element(0x04, content));
}
