import type { Ensured, Presence, Removed } from './presence.ts';

/** The hidden principal that owns the provider's resources of a network and its servers. */
export interface IdentityReference {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
}

export interface ObservedIdentity {
  readonly providerId: string;
}

/** The identities of a provider. The provider stores durably everything that it needs to act as an identity. */
export interface Identities {
  ensure(identity: IdentityReference): Promise<Ensured<ObservedIdentity>>;
  observe(identity: IdentityReference): Promise<Presence<ObservedIdentity>>;
  remove(identity: IdentityReference): Promise<Removed>;
  /** The private key, in PEM, for servers with the key pair of the identity. Throws `not_found`. */
  privateKey(identity: IdentityReference): Promise<string>;
}
