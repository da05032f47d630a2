/** The headers of every response below `/console/`. Pages load nothing from elsewhere and cannot be framed. */
export function pageHeaders(nonce: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src-elem 'self' 'nonce-${nonce}'`,
      "style-src-attr 'none'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    // The window in which a user logs in again must be able to report back.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
  };
}
