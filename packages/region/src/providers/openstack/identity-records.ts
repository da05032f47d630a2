import { defined } from '@unikorn/core/defined';
import { isProblem } from '@unikorn/core/errors';
import { labels } from '@unikorn/core/resource';
import { matching, modify, type Store } from '@unikorn/core/store';

import type { IdentityReference } from '../../provider/index.ts';
import { OpenstackIdentity } from './kinds.ts';
import { stored } from './region.ts';

export type IdentityFacts = OpenstackIdentity['spec'];
export type IdentitySecrets = Required<Pick<IdentityFacts, 'password' | 'sshPrivateKey'>>;

/** What is remembered of identities, one record for each. Each change is durable when the call returns. */
export class IdentityRecords {
  readonly #store: Store;
  readonly #regionId: string;

  constructor(store: Store, regionId: string) {
    this.#store = store;
    this.#regionId = regionId;
  }

  async find({ id }: Pick<IdentityReference, 'id'>): Promise<IdentityFacts | undefined> {
    return (await stored(() => this.#store.get(OpenstackIdentity, id)))?.spec;
  }

  /** The projects in the cloud that the identities of an organization have. */
  async projectsOf(organizationId: string): Promise<readonly string[]> {
    const selector = matching({ [labels.region]: this.#regionId });
    const { items } = await stored(() => this.#store.list(OpenstackIdentity, { selector, cached: true }));
    return items.flatMap(({ metadata, spec }) => {
      // A record of the original may lack the label.
      const owner = metadata.labels?.[labels.organization] ?? organizationId;
      return owner === organizationId && spec.projectID !== undefined ? [spec.projectID] : [];
    });
  }

  /** The record, with secrets that are made when it is new, or when the original has left it without them. */
  async open(identity: IdentityReference, fresh: () => IdentitySecrets): Promise<IdentityFacts & IdentitySecrets> {
    const known = await this.find(identity);
    if (known) return this.#complete(identity, known, fresh);
    const { id, organizationId, projectId } = identity;
    const metadata = {
      name: id,
      labels: {
        [labels.region]: this.#regionId,
        [labels.organization]: organizationId,
        [labels.project]: projectId,
      },
    };
    const secrets = fresh();
    await stored(() => this.#store.create(OpenstackIdentity, { metadata, spec: secrets }));
    return secrets;
  }

  async #complete(
    { id }: IdentityReference,
    known: IdentityFacts,
    fresh: () => IdentitySecrets,
  ): Promise<IdentityFacts & IdentitySecrets> {
    const { password, sshPrivateKey } = known;
    if (password !== undefined && sshPrivateKey !== undefined) return { ...known, password, sshPrivateKey };
    const secrets = { ...fresh(), ...defined({ password, sshPrivateKey }) };
    // A user that is not noted gets the password of the record.
    const userID = password === undefined ? undefined : known.userID;
    const spec = defined({ ...known, ...secrets, userID });
    await stored(() => modify(this.#store, OpenstackIdentity, id, (record) => ({ ...record, spec })));
    return { ...spec, ...secrets };
  }

  async note({ id }: IdentityReference, facts: Partial<IdentityFacts>): Promise<IdentityFacts> {
    const changed = await stored(() =>
      modify(this.#store, OpenstackIdentity, id, (record) => ({ ...record, spec: { ...record.spec, ...facts } })),
    );
    return changed.spec;
  }

  /** Notes another project than before. What was made in the former one does not count any more. */
  async begin({ id }: IdentityReference, projectID: string): Promise<void> {
    await stored(() =>
      modify(this.#store, OpenstackIdentity, id, (record) => {
        if (record.spec.projectID === projectID) return undefined;
        return {
          ...record,
          spec: defined({ ...record.spec, projectID, serverGroupID: undefined, sshKeyName: undefined }),
        };
      }),
    );
  }

  async forget({ id }: IdentityReference): Promise<void> {
    await stored(async () => {
      try {
        await this.#store.delete(OpenstackIdentity, id);
      } catch (error) {
        if (!isProblem(error, 'not_found')) throw error;
      }
    });
  }
}
