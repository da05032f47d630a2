import { formatPrefix, parsePrefix } from '@unikorn/region/client';

/** An IPv4 prefix without host bits: 10.9.9.9/8 is 10.0.0.0/8. Text that is not a prefix stays as it is. */
export function canonicalPrefix(text: string): string {
  const prefix = parsePrefix(text);
  return prefix ? formatPrefix(prefix) : text;
}

/** Base64 in its canonical form. Zero bytes are the same as no value. */
export function canonicalData(base64 = ''): string | undefined {
  return Buffer.from(base64, 'base64').toString('base64') || undefined;
}
