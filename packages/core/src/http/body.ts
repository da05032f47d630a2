import type { FastifyInstance } from 'fastify';

import { Problem } from '../errors/index.ts';
import { limits } from '../limits.ts';
import { exchangeOf } from './exchange.ts';

/**
 * Parses JSON for operations with a body, and passes text for raw ones. A wrong content type is a bad request, never
 * 415.
 */
export function addBodyParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('*', { parseAs: 'string' }, (request, text, done) => {
    exchangeOf(request).passage?.use(Math.floor(text.length / limits.bodyBytesPerRequest));
    if (request.routeOptions.config.raw !== undefined) done(null, text);
    else if (exchangeOf(request).compiled?.route.body === undefined) done(null, undefined);
    else if (!isJson(request.headers['content-type']))
      done(new Problem('invalid_request', 'header Content-Type: must be application/json'));
    else if (text === '') done(new Problem('invalid_request', 'body: is required, with content type application/json'));
    else
      void parse(request, text, (cause, value) => {
        if (cause) done(new Problem('invalid_request', complaint(text), { cause }));
        else done(null, value);
      });
  });
}

/**
 * The parser does not give a reason. If the text is valid JSON, it refused a property name that could reach a
 * prototype.
 */
function complaint(text: string): string {
  try {
    JSON.parse(text);
    return 'body: the property names __proto__ and constructor.prototype are not allowed';
  } catch {
    return 'body: is not valid JSON';
  }
}

function isJson(contentType: string | undefined): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}
