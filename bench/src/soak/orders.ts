import type { Tenant } from './stage.ts';

/** What the hostile process is told. */
export interface Orders {
  readonly base: string;
  readonly tenants: readonly Tenant[];
  readonly seconds: number;
}

/** What it tells in the end: how often each attack was answered how; 0 where the connection was cut. */
export interface Tally {
  readonly failures: readonly string[];
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
}
