export interface CorsOptions {
  /** Origins that may read responses in a browser. Other origins get the first one as the allowed origin. */
  readonly allowOrigins: readonly string[];
  readonly maxAge_s: number;
}

export const defaultCors: CorsOptions = { allowOrigins: ['*'], maxAge_s: 86_400 };

const requestHeaders = [
  'Authorization',
  'Content-Type',
  'traceparent',
  'tracestate',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Last-Event-ID',
].join(', ');
const exposedHeaders = ['ETag', 'Continue', 'Link', 'Idempotency-Replayed', 'WWW-Authenticate'].join(', ');

/** Sets exactly one origin on every response: the caller's if it is listed, else the first configured one. */
export function corsHeaders(options: CorsOptions, origin: string | undefined): Readonly<Record<string, string>> {
  const [first = '*'] = options.allowOrigins;
  const allowed = origin !== undefined && options.allowOrigins.includes(origin) ? origin : first;
  return {
    'access-control-allow-origin': allowed,
    'access-control-expose-headers': exposedHeaders,
    ...(options.allowOrigins.length > 1 ? { vary: 'Origin' } : {}),
  };
}

export function preflightHeaders(options: CorsOptions, methods: readonly string[]): Readonly<Record<string, string>> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': requestHeaders,
    'access-control-max-age': String(options.maxAge_s),
  };
}
