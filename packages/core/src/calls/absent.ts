import type { ServiceCalls } from './calls.ts';
import { unavailable } from './refusal.ts';

/**
 * Calls of a service that this process has no connection to, because none of its parts calls it.
 *
 * @example const identity = identityClient(absentCalls('identity'));
 */
export function absentCalls(service: string): ServiceCalls {
  const refusal = () => unavailable(service, new Error(`this process has no connection to ${service}`));
  return {
    service,
    inProcess: false,
    call: () => Promise.reject(refusal()),
    open: () => Promise.reject(refusal()),
    // eslint-disable-next-line require-yield -- it always fails
    watch: async function* () {
      await Promise.reject(refusal());
    },
  };
}
