import type { ControllerContext } from '@unikorn/core/controller';
import type { IdentityClient } from '@unikorn/identity/client';
import type { RegionClient } from '@unikorn/region/client';

import type { RegionWatches } from './watches.ts';

/** The dependencies of compute's handlers, controllers and monitors. */
export interface ComputeContext extends ControllerContext {
  readonly identityClient: IdentityClient;
  readonly regionClient: RegionClient;
}

/** Additional dependencies of controllers and monitors. */
export interface WatchingContext extends ComputeContext {
  readonly watches: RegionWatches;
}
