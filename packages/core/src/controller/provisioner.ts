import type { Logger } from 'pino';

import type { Kind, Resource } from '../kinds/index.ts';
import type { Outcome, StatusPatch } from './outcome.ts';

export interface ProvisionContext {
  /** A logger that adds the controller and the object to every line. */
  readonly log: Logger;
  /** Aborts when the process stops or loses the lease. Results that are returned after that are not written. */
  readonly signal: AbortSignal;
  /** 1 for the first attempt, plus one for every failed attempt in a row. */
  readonly attempt: number;
}

/**
 * Says what to do about an object; finalizers, conditions and retries are the reconciler's. Both operations are
 * repeated freely, so they must be idempotent and quick: rather yield than wait.
 *
 * @example
 * const networks: Provisioner<typeof Network> = {
 *   async provision(network) {
 *     const vlan = await cloud.ensureNetwork(network.metadata.name);
 *     return vlan === undefined ? yieldFor({ message: 'the network is being created' }) : done({ vlan });
 *   },
 *   async deprovision(network) {
 *     await cloud.removeNetwork(network.metadata.name);
 *     return done();
 *   },
 * };
 */
export interface Provisioner<K extends Kind> {
  provision(object: Resource<K>, context: ProvisionContext): Promise<Outcome<StatusPatch<K>>>;
  deprovision(object: Resource<K>, context: ProvisionContext): Promise<Outcome<StatusPatch<K>>>;
}
