import type { Network } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const network: Noun<Network> = {
  name: 'network',
  plural: 'networks',
  aliases: ['net'],
  description: 'a private network of a project in a region',
  service: 'region',
  path: '/api/v2/networks',
  idParameter: 'networkID',
  verbs: ['get', 'watch', 'explain', 'create', 'update', 'delete'],
  scope: ['organization', 'project', 'region'],
  history: true,
  columns: [
    { header: 'PREFIX', value: ({ status }) => status.prefix },
    { header: 'REGION', value: ({ status }) => status.regionId, noun: 'region' },
    { header: 'DNS', value: ({ spec }) => spec.dnsNameservers, wide: true },
    {
      header: 'ROUTES',
      value: ({ spec }) => spec.routes?.map(({ prefix, nexthop }) => `${prefix}=${nexthop}`),
      wide: true,
    },
  ],
  fields: [
    {
      flag: 'prefix',
      path: 'spec.prefix',
      type: 'text',
      on: 'create',
      required: true,
      description: 'addresses of the network, such as 10.0.0.0/24',
    },
    { flag: 'dns', path: 'spec.dnsNameservers', type: 'list', fallback: [], description: 'address of a name server' },
    {
      flag: 'routes',
      path: 'spec.routes',
      type: 'json',
      description: 'routes, such as [{"prefix":"10.9.0.0/16","nexthop":"10.0.0.1"}]',
    },
  ],
  holdsProtected: true,
  loss: 'everything in it',
  contents: ['instance', 'loadbalancer', 'securitygroup'],
  examples: {
    create: 'create web --prefix 10.2.0.0/24 --dns 9.9.9.9',
    update: 'update web --dns 9.9.9.9 --dns 1.1.1.1',
  },
};
