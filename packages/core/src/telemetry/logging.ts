import type { Writable } from 'node:stream';

import { pino, stdSerializers, type Logger } from 'pino';
import pretty from 'pino-pretty';

export interface LogOptions {
  readonly level: string;
  /** The destination of log lines; standard output by default. */
  readonly destination?: Writable;
  /** A format for people instead of log pipelines; the default if standard output is a terminal. */
  readonly pretty?: boolean;
}

const secretHeaders = ['authorization', 'cookie', 'set-cookie', 'x-principal', 'ssl-client-cert'];
const secretFields = [
  'token',
  'accessToken',
  'access_token',
  'refresh_token',
  'id_token',
  'password',
  'secret',
  'client_secret',
  'privateKey',
];

/** At the top level, and one and two levels below: where log fields and their headers are. */
const redactedPaths = [...secretHeaders, ...secretFields].flatMap((name) => [
  `["${name}"]`,
  `*["${name}"]`,
  `*.*["${name}"]`,
]);

const standardOutput = 1;

/** Keeps the fields that identify a message, and removes its contents. */
const serializers = {
  error: stdSerializers.err,
  body: () => '[not logged]',
  payload: () => '[not logged]',
};

export function createLogger(service: string, options: LogOptions): Logger {
  const human = options.pretty ?? (options.destination === undefined && process.stdout.isTTY);
  return pino(
    {
      level: options.level,
      base: { service },
      messageKey: 'message',
      errorKey: 'error',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths, censor: '[redacted]' },
      serializers,
    },
    human
      ? pretty({
          destination: options.destination ?? standardOutput,
          messageKey: 'message',
          errorLikeObjectKeys: ['error'],
          sync: true,
        })
      : (options.destination ?? pino.destination(standardOutput)),
  );
}
