import { unlessMissing, watchedOwners } from '@unikorn/core/calls';
import { CascadingDelete } from '@unikorn/core/controller';
import { labels } from '@unikorn/core/resource';

import type { WatchingContext } from '../context.ts';
import { ComputeInstance } from '../kinds/index.ts';
import { asService } from '../on-behalf.ts';

/** A network that goes takes its instances with it, also when compute was down when it began to. */
export function networkConsumer(context: WatchingContext): CascadingDelete {
  const { region, watches } = context;
  const owners = watchedOwners({
    what: 'network',
    objects: watches.networks,
    ownerOf: ({ metadata }) => metadata,
    ask: (id, { metadata }) => unlessMissing(() => region.network(asService(metadata), id)),
  });
  return new CascadingDelete(
    { name: 'compute-network-consumer', owners, targets: [{ kind: ComputeInstance, label: labels.network }] },
    context,
  );
}
