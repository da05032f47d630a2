import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** Converts the fields of a key, after the name of its algorithm, to a key object; undefined if they are invalid. */
type Reader = (fields: readonly Buffer[]) => KeyObject | undefined;

/** The supported algorithms of certificate authorities. */
const readers: Readonly<Record<string, Reader>> = {
  'ssh-ed25519': readEd25519,
  'ssh-rsa': readRsa,
  'ecdsa-sha2-nistp256': ecdsaReader({ curve: 'nistp256', jwkCurve: 'P-256', coordinateBytes: 32 }),
  'ecdsa-sha2-nistp384': ecdsaReader({ curve: 'nistp384', jwkCurve: 'P-384', coordinateBytes: 48 }),
  'ecdsa-sha2-nistp521': ecdsaReader({ curve: 'nistp521', jwkCurve: 'P-521', coordinateBytes: 66 }),
};

export const algorithms: readonly string[] = Object.keys(readers);

export function readKey(algorithm: string, fields: readonly Buffer[]): KeyObject | undefined {
  return readers[algorithm]?.(fields);
}

function readEd25519([key, ...rest]: readonly Buffer[]): KeyObject | undefined {
  if (key?.length !== 32 || rest.length > 0) return undefined;
  return imported({ kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') });
}

function readRsa([exponent, modulus, ...rest]: readonly Buffer[]): KeyObject | undefined {
  if (!isPositive(exponent) || !isPositive(modulus) || rest.length > 0) return undefined;
  return imported({ kty: 'RSA', e: magnitude(exponent), n: magnitude(modulus) });
}

/** SSH integers are signed and as short as possible: a leading zero byte is only allowed before a set top bit. */
function isPositive(integer: Buffer | undefined): integer is Buffer {
  const [first, second] = integer ?? [];
  if (first === undefined || first > 0x7f) return false;
  return first !== 0 || (second !== undefined && second > 0x7f);
}

function magnitude(integer: Buffer): string {
  return integer.subarray(integer[0] === 0 ? 1 : 0).toString('base64url');
}

interface Curve {
  readonly curve: string;
  readonly jwkCurve: string;
  readonly coordinateBytes: number;
}

const uncompressed = 0x04;

function ecdsaReader({ curve, jwkCurve, coordinateBytes }: Curve): Reader {
  return ([name, point, ...rest]) => {
    if (
      name?.toString('latin1') !== curve ||
      point?.length !== 1 + 2 * coordinateBytes ||
      point[0] !== uncompressed ||
      rest.length > 0
    )
      return undefined;
    const [x, y] = [point.subarray(1, 1 + coordinateBytes), point.subarray(1 + coordinateBytes)];
    return imported({ kty: 'EC', crv: jwkCurve, x: x.toString('base64url'), y: y.toString('base64url') });
  };
}

/** The crypto library decides whether the numbers are a valid key, for example whether a point is on its curve. */
function imported(key: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    return undefined;
  }
}
