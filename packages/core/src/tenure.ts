import { AsyncLocalStorage } from 'node:async_hooks';

/** The lease of this work may have ended: another process may do the work now, so this process must not act. */
export class TenureLost extends Error {
  override readonly name = 'TenureLost';
}

/** Throws `TenureLost` when another process may have taken over. */
type Ensure = () => void;

const tenures = new AsyncLocalStorage<Ensure>();

/** Runs work that depends on a lease. Everything that it calls and waits for belongs to it. */
export function underTenure<T>(ensure: Ensure, work: () => T): T {
  return tenures.run(ensure, work);
}

/**
 * Must be called before each effect outside the store: a changing call of another service or of a cloud. It throws
 * `TenureLost` when the work that calls it depends on a lease that may have ended. A process that was stopped for
 * longer than its lease, and then continued, finds out here.
 *
 * The process can also be stopped between this check and the effect. So effects must be safe when they are late, too.
 *
 * @example if (method !== 'GET') ensureTenure();
 */
export function ensureTenure(): void {
  tenures.getStore()?.();
}
