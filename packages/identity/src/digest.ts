import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256 in hex. Used for secrets that are long and random, and for versions; both are only compared. */
export function digestOf(text: string): string {
  return hash('sha256', text);
}

/** Compares in a time that does not depend on the position of the first difference. */
export function sameDigest(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
