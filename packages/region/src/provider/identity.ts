import type { Ensured, Presence, Removed } from './presence.ts';

/** The hidden principal that owns what a network and its servers need in the provider. */
export interface IdentityReference {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
}

export interface ObservedIdentity {
  readonly providerId: string;
}

/** What a provider must remember to act as an identity it keeps itself, durably and before it goes on. */
export interface Identities {
  ensure(identity: IdentityReference): Promise<Ensured<ObservedIdentity>>;
  observe(identity: IdentityReference): Promise<Presence<ObservedIdentity>>;
  remove(identity: IdentityReference): Promise<Removed>;
  /** The private key, in PEM, whose public half servers with an identity's key pair accept. Fails with `not_found`. */
  privateKey(identity: IdentityReference): Promise<string>;
}
