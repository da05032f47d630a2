import type { RegionRead } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const region: Noun<RegionRead> = {
  name: 'region',
  plural: 'regions',
  description: 'where things are: a cloud of its own',
  service: 'region',
  path: '/api/v2/regions',
  idParameter: 'regionID',
  verbs: ['get', 'watch', 'create', 'update', 'delete'],
  scope: [],
  columns: [{ header: 'TYPE', value: ({ spec }) => spec.type }],
  fields: [
    {
      flag: 'type',
      path: 'spec.type',
      type: 'text',
      required: true,
      choices: ['simulated', 'kubernetes', 'openstack'],
      description: 'sort of cloud',
    },
    {
      flag: 'tenant',
      path: 'spec.organizationIds',
      type: 'list',
      noun: 'organization',
      description: 'organization that it is for alone; everybody may use it without',
    },
    {
      flag: 'simulated',
      path: 'spec.simulated',
      type: 'json',
      description: 'how a simulated cloud is, such as {"flavorIDs":["ID"]}',
    },
    {
      flag: 'kubernetes',
      path: 'spec.kubernetes',
      type: 'json',
      description:
        'how a cluster is reached and what nodes it has, such as {"kubeConfigSecret":{"namespace":"unikorn","name":"east"},"nodes":[…]}',
    },
    { flag: 'openstack', path: 'spec.openstack', type: 'json', description: 'how a cloud is reached' },
  ],
  examples: { name: 'north', create: 'create lab --type simulated', update: 'update lab --tenant acme' },
};
