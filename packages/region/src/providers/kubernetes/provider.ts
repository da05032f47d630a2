import { Answers } from '@unikorn/core/outbound';
import type { World } from '@unikorn/core/world';

import { ProviderFailure, type Flavor, type InventoryProvider } from '../../provider/index.ts';
import { flavorsOf, type NodeClass } from './flavors.ts';
import { parseKubeconfig } from './kubeconfig.ts';
import { waits } from './limits.ts';
import { classedNodes } from './nodes.ts';

export interface KubernetesRegion {
  readonly world: World;
  /** The classes that the operator defined. A class is offered while the cluster has a node of it. */
  readonly nodeClasses: readonly NodeClass[];
  /** Read for each request, so that renewed credentials are used at once; undefined if there is none. */
  readonly kubeconfig: () => Promise<string | undefined>;
}

/**
 * A cluster whose node classes are flavors. The provider only reads it.
 *
 * @example const provider = kubernetesProvider({ world, nodeClasses, kubeconfig: () => readFile(path, 'utf8') });
 */
export function kubernetesProvider({ world, nodeClasses, kubeconfig }: KubernetesRegion): InventoryProvider {
  const answers = new Answers<readonly Flavor[]>(world, 1);
  const look = async () => {
    const access = await parseKubeconfig(await textOf(kubeconfig));
    return { value: flavorsOf(nodeClasses, await classedNodes(access, world)), until: world.now() + waits.flavors_ms };
  };
  return {
    flavors: () => answers.get('flavors', look),
    volumeClasses: () => Promise.resolve([]),
  };
}

async function textOf(kubeconfig: KubernetesRegion['kubeconfig']): Promise<string> {
  const text = await kubeconfig().catch((cause: unknown) =>
    Promise.reject(
      new ProviderFailure('unavailable', 'the kubeconfig of this region cannot be read at the moment; try again', {
        cause,
      }),
    ),
  );
  if (text === undefined)
    throw new ProviderFailure('invalid', 'this region has no kubeconfig: the platform operator must add it');
  return text;
}
