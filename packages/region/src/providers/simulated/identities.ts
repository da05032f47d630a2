import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import {
  absent,
  openSshPrivateKey,
  ProviderFailure,
  type Ensured,
  type Identities,
  type IdentityReference,
  type ObservedIdentity,
  type Presence,
  type Removed,
} from '../../provider/index.ts';
import { pools, type Cloud } from './cloud.ts';
import { Records } from './records.ts';

const IdentityBody = Type.Object({ providerId: Type.String(), privateKey: Type.String() });
type IdentityBody = Static<typeof IdentityBody>;

const identityBody = Compile(IdentityBody);

/** The tenants of the cloud. */
export class SimulatedIdentities implements Identities {
  readonly #cloud: Cloud;
  readonly #records: Records<IdentityBody>;

  constructor(cloud: Cloud) {
    this.#cloud = cloud;
    this.#records = new Records({ ...cloud, sort: 'identity', parse: (body) => identityBody.Parse(body) });
  }

  async isRealised({ id }: IdentityReference): Promise<boolean> {
    return (await this.#records.known(id, id)) !== undefined;
  }

  ensure({ id }: IdentityReference): Promise<Ensured<ObservedIdentity>> {
    return this.#cloud.gate.pass(async () => {
      const { world } = this.#cloud;
      const stored =
        (await this.#records.find(id, id)) ??
        (await this.#records.create(id, id, {
          providerId: world.uuid(),
          privateKey: openSshPrivateKey(world.randomBytes(32)),
        }));
      return present(stored.body);
    });
  }

  observe({ id }: IdentityReference): Promise<Presence<ObservedIdentity>> {
    return this.#cloud.gate.look<Presence<ObservedIdentity>>(
      async () => {
        const stored = await this.#records.find(id, id);
        return stored ? present(stored.body) : absent;
      },
      () => absent,
    );
  }

  remove({ id }: IdentityReference): Promise<Removed> {
    return this.#cloud.gate.pass(async () => {
      if (await this.#cloud.claims.inUse(pools.usesOfIdentity(this.#cloud, id)))
        throw new ProviderFailure('in_use', 'the identity still has resources in the cloud');
      await this.#records.delete(this.#records.nameOf(id, id));
      return absent;
    });
  }

  privateKey({ id }: IdentityReference): Promise<string> {
    return this.#cloud.gate.pass(async () => {
      const stored = await this.#records.find(id, id);
      if (!stored) throw new ProviderFailure('not_found', 'the identity has no key');
      return stored.body.privateKey;
    });
  }
}

function present({ providerId }: IdentityBody): Ensured<ObservedIdentity> {
  return { state: 'present', observed: { providerId } };
}
