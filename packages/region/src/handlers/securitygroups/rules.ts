import type { Static } from 'typebox';

import { defined } from '@unikorn/core/defined';
import { Problem } from '@unikorn/core/errors';
import type { DeepReadonly, SpecOf } from '@unikorn/core/kinds';

import type { SecurityGroupRule } from '../../api/securitygroups.ts';
import type { SecurityGroup } from '../../kinds/index.ts';
import { requirePrefix } from '../../network/index.ts';

export type WireRule = DeepReadonly<Static<typeof SecurityGroupRule>>;
type StoredRule = SpecOf<typeof SecurityGroup>['rules'][number];

/** Rules as they are stored. The first invalid rule is refused with its field. */
export function storedRules(rules: readonly WireRule[]): readonly StoredRule[] {
  return rules.map((rule, index) => storedRule(`spec.rules.${index}`, rule));
}

function storedRule(field: string, rule: WireRule): StoredRule {
  const { direction, protocol, prefix } = rule;
  if (prefix !== undefined) requirePrefix(`${field}.prefix`, prefix);
  const port = storedPort(field, rule);
  return { direction, protocol, ...(port ? { port } : {}), ...defined({ cidr: prefix }) };
}

function storedPort(field: string, { protocol, port, portMax }: WireRule): StoredRule['port'] {
  if (port === undefined && portMax === undefined) return undefined;
  if (protocol !== 'tcp' && protocol !== 'udp')
    throw new Problem(
      'invalid_request',
      `${field}.${port === undefined ? 'portMax' : 'port'}: is allowed for tcp and udp only: leave it out`,
    );
  if (port === undefined)
    throw new Problem('invalid_request', `${field}.portMax: is the end of a port range: also set port, its start`);
  if (portMax === undefined) return { number: port };
  if (port >= portMax)
    throw new Problem('invalid_request', `${field}.portMax: must be greater than port: leave it out for a single port`);
  return { range: { start: port, end: portMax } };
}

export function wireRule({ direction, protocol, port, cidr }: StoredRule): WireRule {
  const { number, range } = port ?? {};
  return {
    direction,
    protocol,
    ...defined({ port: number }),
    ...(range === undefined ? {} : { port: range.start, portMax: range.end }),
    ...defined({ prefix: cidr }),
  };
}
