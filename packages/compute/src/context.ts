import type { ControllerContext } from '@unikorn/core/controller';
import type { IdentityClient } from '@unikorn/identity/client';
import type { RegionClient } from '@unikorn/region/client';

import type { RegionWatches } from './watches.ts';

/** What handlers, controllers and monitors of compute work with. */
export interface ComputeContext extends ControllerContext {
  readonly identity: IdentityClient;
  readonly region: RegionClient;
}

/** What controllers and monitors work with besides. */
export interface WatchingContext extends ComputeContext {
  readonly watches: RegionWatches;
}
