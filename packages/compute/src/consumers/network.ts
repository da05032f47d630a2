import { CascadingDelete, type ControllerContext } from '@unikorn/core/controller';
import { labels } from '@unikorn/core/resource';
import { Identity, Network } from '@unikorn/region/client';

import { ComputeInstance } from '../kinds/index.ts';

/** A network that goes takes its instances with it, whoever was down when it began to. */
export function networkConsumer(context: ControllerContext): CascadingDelete {
  return new CascadingDelete(
    {
      name: 'compute-network-consumer',
      owner: Network,
      targets: [{ kind: ComputeInstance, label: labels.network }],
      ancestors: [Identity],
    },
    context,
  );
}
