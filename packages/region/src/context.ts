import type { ControllerContext } from '@unikorn/core/controller';
import type { IdentityClient } from '@unikorn/identity/client';

import type { Providers, Secrets } from './regions/index.ts';

/** The dependencies of region's handlers, controllers and monitors. */
export interface RegionContext extends ControllerContext {
  readonly providers: Providers;
  readonly secrets: Secrets;
  readonly identityClient: IdentityClient;
}
