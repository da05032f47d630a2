import type { Tenant } from './stage.ts';

/** The input of the hostile process. */
export interface Orders {
  readonly base: string;
  readonly tenants: readonly Tenant[];
  readonly seconds: number;
}

/** Its results: the number of responses of each attack by status; 0 if the connection was cut. */
export interface Tally {
  readonly failures: readonly string[];
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
}
