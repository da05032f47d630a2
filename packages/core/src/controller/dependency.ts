import { kindWords, type Kind, type Metadata } from '../kinds/index.ts';
import { described } from '../references/index.ts';
import { provisioningStatus, type Condition, type ProvisioningStatus } from '../resource/index.ts';
import { park, yieldFor, type Park, type Yield } from './outcome.ts';

/** An object that another object needs before it can be provisioned. */
interface Dependency {
  readonly metadata: Metadata;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

type Blocked = Yield<never> | Park<never>;

export function dependencyNotReady(kind: Kind, object: Dependency): Blocked {
  return notReady(described(kind, object.metadata));
}

export function dependencyFailed(kind: Kind, object: Dependency): Blocked {
  return failed(described(kind, object.metadata));
}

export function dependencyNotFound(kind: Kind, name: string): Blocked {
  return park({ reason: 'DependencyNotFound', message: `${kindWords(kind)} ${name} does not exist` });
}

/**
 * Checks whether a dependency can be used. Returns undefined if so, or the outcome to return.
 *
 * @example
 * const blocked = readiness(Network, spec.networkId, networks.get(spec.networkId));
 * if (blocked) return blocked;
 */
export function readiness(kind: Kind, name: string, object: Dependency | undefined): Blocked | undefined {
  if (!object) return dependencyNotFound(kind, name);
  switch (provisioningStatus(object, kind.realisation)) {
    case 'provisioned':
      return undefined;
    case 'error':
      return dependencyFailed(kind, object);
    case 'pending':
    case 'provisioning':
    case 'deprovisioning':
      return dependencyNotReady(kind, object);
  }
}

/** A dependency that belongs to another service, as that service shows it. */
interface Shown {
  readonly id: string;
  readonly name: string;
  readonly provisioningStatus: ProvisioningStatus;
}

/**
 * Checks whether a dependency of another service can be used, as `readiness` does.
 *
 * @example const blocked = shownReadiness('network', network.metadata);
 */
export function shownReadiness(words: string, { id, name, provisioningStatus: status }: Shown): Blocked | undefined {
  switch (status) {
    case 'provisioned':
      return undefined;
    case 'error':
      return failed(`${words} ${name} (${id})`);
    case 'pending':
    case 'provisioning':
    case 'deprovisioning':
      return notReady(`${words} ${name} (${id})`);
  }
}

function notReady(what: string): Blocked {
  return yieldFor({ reason: 'DependencyNotReady', message: `${what} is not ready yet` });
}

function failed(what: string): Blocked {
  return yieldFor({ reason: 'DependencyFailed', message: `${what} could not be provisioned` });
}
