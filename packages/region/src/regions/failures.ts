import { park, tryAgain, type Park, type Retry } from '@unikorn/core/controller';
import { Problem, type ProblemCode } from '@unikorn/core/errors';

import { waits } from '../limits.ts';
import { failures, isProviderFailure, type FailureKind, type ProviderFailure } from '../provider/index.ts';

/** The error code for callers, by kind of failure. */
const codes: Readonly<Record<FailureKind, ProblemCode>> = {
  transient: 'unavailable',
  unavailable: 'unavailable',
  capacity: 'conflict',
  quota: 'quota_exceeded',
  in_use: 'conflict',
  conflict: 'invalid_request',
  unrealised_identity: 'invalid_request',
  not_found: 'not_found',
  invalid: 'unprocessable_content',
  permission: 'forbidden',
  inconsistent: 'server_error',
};

/**
 * Calls a provider for a request, and converts its failures to problems of the contract.
 *
 * @example const flavors = await asked(() => providers.inventory(region).flavors());
 */
export async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isProviderFailure(error)) throw error;
    throw new Problem(codes[error.kind], error.message, { cause: error });
  }
}

/** Failures that last until someone acts: the operator of the cloud or of the platform, or a user who makes room. */
const lasting: readonly FailureKind[] = ['capacity', 'quota', 'permission'];

/**
 * The outcome for an object after a provider failure. Temporary failures are retried. They are shown as an error if
 * they may take long.
 */
export function outcomeOf({ kind, message }: ProviderFailure): Retry<never> | Park<never> {
  const { retry } = failures[kind];
  if (retry === 'never') return park({ reason: 'Errored', message });
  const reason = lasting.includes(kind) ? 'Errored' : 'Provisioning';
  return tryAgain({ reason, message, after_ms: waits.failure_ms[retry] });
}

/**
 * Runs an attempt to provision or deprovision. A provider failure becomes its outcome; any other error is unexpected.
 */
export async function attempted<Outcome>(
  attempt: () => Promise<Outcome>,
): Promise<Outcome | Retry<never> | Park<never>> {
  try {
    return await attempt();
  } catch (error) {
    if (!isProviderFailure(error)) throw error;
    return outcomeOf(error);
  }
}
