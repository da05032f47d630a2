/** Where a browser on another machine ends up; nothing listens there, and the address it shows is what is carried over. */
export const pastedRedirectUri = 'http://127.0.0.1/callback';

/** The address that somebody pasted, or the one that the code they pasted was part of. Undefined for anything else. */
export function returnedAddress(pasted: string): URL | undefined {
  // Some browsers show addresses without their beginning.
  const text = pasted.trim().replace(/^127\.0\.0\.1/, 'http://127.0.0.1');
  const address = URL.parse(text);
  if (address && /^https?:$/.test(address.protocol)) return address.searchParams.has('code') || address.searchParams.has('error') ? address : undefined;
  if (!/^[\w.~-]+$/.test(text)) return undefined;
  const withCode = new URL(pastedRedirectUri);
  withCode.searchParams.set('code', text);
  return withCode;
}
