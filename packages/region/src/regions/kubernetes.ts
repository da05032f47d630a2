import type { World } from '@unikorn/core/world';

import type { Region } from '../kinds/index.ts';
import { kubernetesProvider } from '../providers/kubernetes/index.ts';
import type { Offer } from './providers.ts';
import type { Secrets } from './secrets.ts';

/** Regions that are a cluster. A secret contains its credentials under `kubeconfig`. */
export function kubernetesRegions({
  world,
  secrets,
}: {
  readonly world: World;
  readonly secrets: Secrets;
}): (region: Region) => Offer {
  return ({ spec: { kubernetes } }) => ({
    tier: 'inventory',
    provider: kubernetesProvider({
      world,
      nodeClasses: kubernetes?.nodes ?? [],
      kubeconfig: async () => kubernetes && (await secrets.read(kubernetes.kubeConfigSecret))?.['kubeconfig'],
    }),
  });
}
