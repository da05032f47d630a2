import type { RegionRead } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const region: Noun<RegionRead> = {
  name: 'region',
  plural: 'regions',
  description: 'a cloud in which resources are created',
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
      description: 'type of cloud',
    },
    {
      flag: 'tenant',
      path: 'spec.organizationIds',
      type: 'list',
      noun: 'organization',
      description: 'organization that may use it; every organization by default',
    },
    {
      flag: 'simulated',
      path: 'spec.simulated',
      type: 'json',
      description: 'settings of a simulated cloud, such as {"flavorIDs":["ID"]}',
    },
    {
      flag: 'kubernetes',
      path: 'spec.kubernetes',
      type: 'json',
      description:
        'connection and nodes of a cluster, such as {"kubeConfigSecret":{"namespace":"unikorn","name":"east"},"nodes":[…]}',
    },
    { flag: 'openstack', path: 'spec.openstack', type: 'json', description: 'connection to an OpenStack cloud' },
  ],
  examples: { name: 'north', create: 'create lab --type simulated', update: 'update lab --tenant acme' },
};
