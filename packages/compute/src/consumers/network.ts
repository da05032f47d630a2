import { unlessMissing, watchedOwners } from '@unikorn/core/calls';
import { CascadingDelete } from '@unikorn/core/controller';
import { labels } from '@unikorn/core/resource';

import type { WatchingContext } from '../context.ts';
import { ComputeInstance } from '../kinds/index.ts';
import { asService } from '../on-behalf.ts';

/** The deletion of a network also deletes its instances, even if compute did not run when the deletion began. */
export function networkConsumer(context: WatchingContext): CascadingDelete {
  const { regionClient, watches } = context;
  const owners = watchedOwners({
    what: 'network',
    objects: watches.networks,
    ownerOf: ({ metadata }) => metadata,
    ask: (id, { metadata }) => unlessMissing(() => regionClient.network(asService(metadata), id)),
  });
  return new CascadingDelete(
    { name: 'compute-network-consumer', owners, targets: [{ kind: ComputeInstance, label: labels.network }] },
    context,
  );
}
