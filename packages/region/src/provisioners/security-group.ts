import { done, type Provisioner } from '@unikorn/core/controller';
import { defined } from '@unikorn/core/defined';
import type { SpecOf } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import type { RegionContext } from '../context.ts';
import { waitWhileUsed } from '../graph/index.ts';
import { Identity, SecurityGroup } from '../kinds/index.ts';
import { identityOf, labelOf } from '../placement.ts';
import type { SecurityRule } from '../provider/index.ts';
import { attempted, whileBusy } from '../regions/index.ts';
import { principalReadiness } from './principal.ts';

/** Provisions a security group, which only needs its principal, and removes it when no server uses it. */
export function securityGroupProvisioner({
  store,
  providers,
}: Pick<RegionContext, 'store' | 'providers'>): Provisioner<typeof SecurityGroup> {
  return {
    async provision({ metadata, spec }) {
      const identity = identityOf(metadata);
      const blocked = principalReadiness(identity.id, await store.get(Identity, identity.id));
      if (blocked) return blocked;
      return attempted(async () => {
        const cloud = await providers.cloudOf(labelOf(metadata, labels.region));
        const ensured = await cloud.securityGroups.ensure(identity, {
          id: metadata.name,
          rules: spec.rules.map(providerRule),
        });
        if (ensured.state === 'pending') return whileBusy(ensured);
        return done({
          conditions: [{ type: 'Healthy', status: 'True', reason: 'Healthy', message: 'its rules are active' }],
        });
      });
    },
    async deprovision({ metadata }) {
      const waiting = await waitWhileUsed(store, SecurityGroup, metadata);
      if (waiting) return waiting;
      return attempted(async () => {
        const cloud = await providers.cloudOf(labelOf(metadata, labels.region));
        const removed = await cloud.securityGroups.remove(identityOf(metadata), { id: metadata.name });
        return removed.state === 'pending' ? whileBusy(removed) : done();
      });
    },
  };
}

export function providerRule({
  direction,
  protocol,
  port,
  cidr,
}: SpecOf<typeof SecurityGroup>['rules'][number]): SecurityRule {
  const ports = port?.range ?? (port?.number === undefined ? undefined : { start: port.number, end: port.number });
  return { direction, protocol, ...(ports ? { ports } : {}), ...defined({ cidr }) };
}
