import { defined } from '@unikorn/core/defined';
import { isProblem } from '@unikorn/core/errors';
import { annotations, deterministicId, labels } from '@unikorn/core/resource';
import { modify, type Store } from '@unikorn/core/store';

import { OAuth2Provider, type OAuth2ProviderType } from '../../kinds/oauth2.ts';
import type { Realm } from '../realm.ts';
import type { Sealer } from '../sealing.ts';

/** A provider for all users, from the configuration. */
export interface ConfiguredProvider {
  readonly name: string;
  readonly type?: OAuth2ProviderType;
  readonly issuer: string;
  readonly clientID: string;
  readonly clientSecret?: string;
}

const namespace = 'c0a6f0b4-5f0e-4f57-9a5e-3c5d1f0f6b11';

const names: Readonly<Record<OAuth2ProviderType, string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
  github: 'GitHub',
};

/** The display name of a provider. */
export function displayName({ metadata, spec }: OAuth2Provider): string {
  return spec.type === undefined ? (metadata.labels?.[labels.name] ?? 'another provider') : names[spec.type];
}

export interface ProvidersOptions {
  readonly store: Store;
  readonly sealer: Sealer;
  readonly realm: Realm;
}

/** The OpenID providers that users may log in through. */
export class Providers {
  readonly #store: Store;
  readonly #sealer: Sealer;
  readonly #realm: Realm;

  constructor({ store, sealer, realm }: ProvidersOptions) {
    this.#store = store;
    this.#sealer = sealer;
    this.#realm = realm;
  }

  /** The providers for all users. */
  async global(): Promise<readonly OAuth2Provider[]> {
    return (await this.#store.list(OAuth2Provider, { selector: [{ key: labels.organization, operator: 'absent' }] }))
      .items;
  }

  /** One of the providers for all users, by id or type. */
  async named(name: string): Promise<OAuth2Provider | undefined> {
    return (await this.global()).find(({ metadata, spec }) => metadata.name === name || spec.type === name);
  }

  get(id: string): Promise<OAuth2Provider | undefined> {
    return this.#store.get(OAuth2Provider, id);
  }

  /** The provider that the organization of the mail address has chosen, if any. */
  async forEmail(email: string): Promise<OAuth2Provider | undefined> {
    const organization = await this.#realm.organizationOf(email);
    const { providerId, providerScope } = organization?.spec ?? {};
    if (!organization || providerId === undefined || providerScope === undefined) return undefined;
    const provider = await this.get(providerId);
    const owner = provider?.metadata.labels?.[labels.organization];
    return owner === (providerScope === 'organization' ? organization.metadata.name : undefined) ? provider : undefined;
  }

  async secretOf({ spec: { sealedClientSecret } }: OAuth2Provider): Promise<string | undefined> {
    return sealedClientSecret === undefined ? undefined : this.#sealer.open('provider-secrets', sealedClientSecret);
  }

  /** Makes the stored providers for all users match the configuration. There is no other way to add one. */
  async configure(configured: readonly ConfiguredProvider[]): Promise<void> {
    const wanted = new Map(configured.map((provider) => [deterministicId(namespace, provider.name), provider]));
    for (const { metadata } of await this.global())
      if (!wanted.has(metadata.name)) await this.#store.delete(OAuth2Provider, metadata.name);
    for (const [id, provider] of wanted) await this.#write(id, provider);
  }

  async #write(id: string, { name, clientSecret, ...rest }: ConfiguredProvider): Promise<void> {
    const sealedClientSecret =
      clientSecret === undefined ? undefined : this.#sealer.seal('provider-secrets', clientSecret, id);
    const spec = { ...rest, ...defined({ sealedClientSecret }) };
    const metadata = {
      name: id,
      labels: { [labels.name]: name },
      annotations: { [annotations.creator]: 'configuration' },
    };
    try {
      await this.#store.create(OAuth2Provider, { metadata, spec });
    } catch (error) {
      if (!isProblem(error, 'conflict')) throw error;
      await modify(this.#store, OAuth2Provider, id, (current) => ({
        metadata: { ...current.metadata, ...metadata },
        spec,
      }));
    }
  }
}
