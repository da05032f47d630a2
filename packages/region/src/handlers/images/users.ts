import { Problem } from '@unikorn/core/errors';
import { pagesOf, type Runtime } from '@unikorn/core/http';
import { described, listed, shownUsers } from '@unikorn/core/references';
import { labels } from '@unikorn/core/resource';
import { matching } from '@unikorn/core/store';

import { Server } from '../../kinds/index.ts';

interface OwnedImage {
  readonly organizationID: string;
  readonly regionID: string;
  readonly imageID: string;
}

/**
 * Refuses to delete an image that servers are made from, and names them. Only servers of its organization can use it.
 * The cloud is asked to delete it after this check, and may know of more users: those are refused by the cloud.
 */
export async function refuseWhileBooted(
  runtime: Runtime,
  { organizationID, regionID, imageID }: OwnedImage,
): Promise<void> {
  const servers = pagesOf(runtime, Server, {
    selector: matching({ [labels.organization]: organizationID, [labels.region]: regionID }),
    visible: ({ spec }) => spec.image.id === imageID,
  });
  const users: string[] = [];
  for await (const { items } of servers) {
    users.push(...items.map(({ metadata }) => described(Server, metadata)));
    if (users.length > shownUsers) break;
  }
  if (users.length === 0) return;
  const them = users.length === 1 ? 'it' : 'them';
  throw new Problem(
    'conflict',
    `image ${imageID} is in use by ${listed(users)}: delete ${them}, or give ${them} another image, first`,
  );
}
