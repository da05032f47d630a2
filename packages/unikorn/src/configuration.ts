import { join } from 'node:path';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** What `unikorn serve` can be told, by flag or environment. */
export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  readonly state: string;
  readonly demo: boolean;
  readonly ephemeral: boolean;
  readonly logLevel: (typeof logLevels)[number];
  readonly otlpEndpoint?: string;
  readonly traceSamplingRatio: number;
}

export function stateFile(directory: string): string {
  return join(directory, 'state.db');
}
