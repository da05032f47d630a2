import { KubeconfigError, parseKubeconfig as parse, type ClusterAccess } from '@unikorn/core/kubernetes';

import { ProviderFailure } from '../../provider/index.ts';

export type { ClusterAccess };

/** Reads the kubeconfig of a region. Its users read the message of a refusal. */
export async function parseKubeconfig(text: string): Promise<ClusterAccess> {
  try {
    return await parse(text);
  } catch (cause) {
    if (!(cause instanceof KubeconfigError)) throw cause;
    throw new ProviderFailure('invalid', `the kubeconfig of this region cannot be used: ${cause.message}`, { cause });
  }
}
