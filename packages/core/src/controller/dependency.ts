import { kindWords, type Kind, type Metadata } from '../kinds/index.ts';
import { described } from '../references/index.ts';
import { provisioningStatus, type Condition } from '../resource/index.ts';
import { park, yieldFor, type Park, type Yield } from './outcome.ts';

/** Something an object needs before it can be realised. */
interface Dependency {
  readonly metadata: Metadata;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

type Blocked = Yield<never> | Park<never>;

export function dependencyNotReady(kind: Kind, object: Dependency): Blocked {
  return yieldFor({ reason: 'DependencyNotReady', message: `${described(kind, object.metadata)} is not ready yet` });
}

export function dependencyFailed(kind: Kind, object: Dependency): Blocked {
  return yieldFor({
    reason: 'DependencyFailed',
    message: `${described(kind, object.metadata)} could not be provisioned`,
  });
}

export function dependencyNotFound(kind: Kind, name: string): Blocked {
  return park({ reason: 'DependencyNotFound', message: `${kindWords(kind)} ${name} does not exist` });
}

/**
 * What stands in the way of using a dependency: nothing, or the outcome to return.
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
