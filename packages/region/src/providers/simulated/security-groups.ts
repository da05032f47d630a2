import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import {
  ProviderFailure,
  WantedSecurityGroup,
  type Ensured,
  type ObservedSecurityGroup,
} from '../../provider/index.ts';
import { pools, type Cloud } from './cloud.ts';
import type { Site, Sort } from './provision.ts';
import { Records, type Stored } from './records.ts';

const GroupBody = Type.Object({ wanted: WantedSecurityGroup, providerId: Type.String() });
type GroupBody = Static<typeof GroupBody>;

const groupBody = Compile(GroupBody);

export class SecurityGroupSort implements Sort<WantedSecurityGroup, GroupBody, ObservedSecurityGroup> {
  readonly records: Records<GroupBody>;
  readonly delete_ms = () => 0;
  readonly #cloud: Cloud;

  constructor(cloud: Cloud) {
    this.#cloud = cloud;
    this.records = new Records({ ...cloud, sort: 'security group', parse: (body) => groupBody.Parse(body) });
  }

  make(_site: Site, wanted: WantedSecurityGroup): Promise<GroupBody> {
    return Promise.resolve(groupBody.Parse({ wanted, providerId: this.#cloud.world.uuid() }));
  }

  converge(_site: Site, _body: GroupBody, wanted: WantedSecurityGroup): Promise<(current: GroupBody) => GroupBody> {
    return Promise.resolve((current) => groupBody.Parse({ ...current, wanted }));
  }

  observe({ body }: Stored<GroupBody>): Ensured<ObservedSecurityGroup> {
    return { state: 'present', observed: { providerId: body.providerId, rules: body.wanted.rules } };
  }

  async assertUnused({ owner }: Site): Promise<void> {
    if (await this.#cloud.claims.inUse(pools.usesOfGroup(owner)))
      throw new ProviderFailure('in_use', 'servers still use the security group');
  }

  /** Replaces the security groups of the user with these. */
  async useOnly({ tenant, holdings }: Site, ids: readonly string[], former: readonly string[]): Promise<void> {
    for (const id of ids) {
      const stored = await this.records.find(tenant, id);
      if (!stored || stored.goneAt !== undefined)
        throw new ProviderFailure('not_found', 'a security group of the server does not exist in the cloud');
      await holdings.use(pools.usesOfGroup(stored.name));
    }
    for (const id of former.filter((other) => !ids.includes(other)))
      await holdings.release(pools.usesOfGroup(this.records.nameOf(tenant, id)));
  }
}
