import { describe, expect, it } from 'vitest';

import type { SecurityRule } from '../security-group.ts';
import { answer, insist, isPresent, useStage, type ProviderHarness, type Stage } from './harness.ts';

const [ssh, web, ping, everything, outward]: readonly [
  SecurityRule,
  SecurityRule,
  SecurityRule,
  SecurityRule,
  SecurityRule,
] = [
  { direction: 'ingress', protocol: 'tcp', ports: { start: 22, end: 22 } },
  { direction: 'ingress', protocol: 'tcp', ports: { start: 8000, end: 8999 }, cidr: '192.168.0.0/16' },
  { direction: 'ingress', protocol: 'icmp' },
  { direction: 'ingress', protocol: 'any', cidr: '10.0.0.0/8' },
  { direction: 'egress', protocol: 'udp', ports: { start: 53, end: 53 } },
];

export function describeSecurityGroups(harness: ProviderHarness): void {
  describe('the rules of a security group', () => {
    const current = useStage(harness);

    /** What is there after these were asked for, in an order that can be compared. */
    async function realised(stage: Stage, id: string, rules: readonly SecurityRule[]) {
      const { securityGroups } = stage.provider;
      const ensured = await insist(stage, () => securityGroups.ensure(stage.identity, { id, rules }), isPresent);
      const seen = await answer(stage, () => securityGroups.observe(stage.identity, { id }));
      expect(seen).toEqual(ensured);
      return sorted(ensured.observed.rules);
    }

    it('are those that were asked for last, and no others', async () => {
      const stage = current();
      const id = stage.freshId();
      for (const rules of [[ssh, web], [web, ping, everything, outward], [], [ssh]])
        expect(await realised(stage, id, rules)).toEqual(sorted(rules));
    });

    it('are each there once, however often they are asked for', async () => {
      const stage = current();
      const id = stage.freshId();
      for (let repetition = 0; repetition < 3; repetition++)
        expect(await realised(stage, id, [ssh, ping])).toEqual(sorted([ssh, ping]));
    });
  });
}

function sorted(rules: readonly SecurityRule[]): readonly SecurityRule[] {
  const key = ({ direction, protocol, ports, cidr }: SecurityRule) =>
    JSON.stringify([direction, protocol, ports, cidr]);
  return rules.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}
