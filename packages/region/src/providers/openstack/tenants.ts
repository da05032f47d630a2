import { ProviderFailure, type IdentityReference } from '../../provider/index.ts';
import type { Session } from './client/index.ts';

/** A project of the cloud, and a session in it. */
export interface Tenant {
  readonly projectId: string;
  readonly session: Session;
}

/** The project of an identity as the region's user sees it, who is its manager; undefined where there is none. */
export type Tenants = (identity: IdentityReference) => Promise<Tenant | undefined>;

/** The project of an identity in which something is to be made. */
export async function requireTenant(tenants: Tenants, identity: IdentityReference): Promise<Tenant> {
  const tenant = await tenants(identity);
  if (tenant) return tenant;
  throw new ProviderFailure('unrealised_identity', 'the identity does not exist in the cloud yet');
}
