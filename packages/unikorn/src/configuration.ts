import { join } from 'node:path';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** What `unikorn serve` can be told, by flag or environment. */
export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  /** Where clients reach the server when that is not the address it listens on. */
  readonly publicUrl?: string;
  readonly state: string;
  /** Mail address of the first administrator. */
  readonly administrator: string;
  readonly demo: boolean;
  readonly ephemeral: boolean;
  readonly logLevel: (typeof logLevels)[number];
  /** In seconds. */
  readonly monitorPeriod: number;
  readonly monitorConcurrency: number;
  readonly serverCreateAttempts: number;
  readonly otlpEndpoint?: string;
  readonly traceSamplingRatio: number;
}

export function stateFile(directory: string): string {
  return join(directory, 'state.db');
}

/** Kept beside the state, not in it: a copy of the state alone opens nothing. */
export function keyFile(directory: string): string {
  return join(directory, 'encryption.key');
}

export function credentialsFile(directory: string): string {
  return join(directory, 'credentials.json');
}

/** Where operators put what regions are reached with, as `<namespace>/<name>/<key>`. */
export function secretsFolder(directory: string): string {
  return join(directory, 'secrets');
}
