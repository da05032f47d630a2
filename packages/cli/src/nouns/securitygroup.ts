import type { SecurityGroup } from '@unikorn/sdk';

import type { Noun } from './noun.ts';
import { parseRule, ruleText } from './securitygroup-rule.ts';

export const securitygroup: Noun<SecurityGroup> = {
  name: 'securitygroup',
  plural: 'securitygroups',
  aliases: ['sg'],
  description: 'rules for the traffic to and from instances of a network',
  service: 'region',
  path: '/api/v2/securitygroups',
  idParameter: 'securityGroupID',
  verbs: ['get', 'watch', 'explain', 'create', 'update', 'delete'],
  scope: ['organization', 'project', 'region'],
  history: true,
  owner: [],
  columns: [
    { header: 'NETWORK', value: ({ status }) => status.networkId, noun: 'network' },
    { header: 'REGION', value: ({ status }) => status.regionId, noun: 'region', wide: true },
    { header: 'RULES', value: ({ spec }) => spec.rules.map(ruleText) },
  ],
  fields: [
    {
      flag: 'network',
      path: 'spec.networkId',
      type: 'text',
      noun: 'network',
      on: 'create',
      required: true,
      places: true,
      description: 'network it is for',
    },
    {
      flag: 'rule',
      path: 'spec.rules',
      type: 'list',
      parse: parseRule,
      fallback: [],
      description:
        'allowed traffic, such as ingress:tcp:22:0.0.0.0/0, ingress:tcp:8000-8080, egress:any, or a rule as JSON',
    },
  ],
  examples: {
    create: 'create ssh --network web --rule ingress:tcp:22:0.0.0.0/0 --rule egress:any',
    update: 'update ssh --rule ingress:tcp:22:10.0.0.0/8 --rule egress:any',
  },
};
