import type { LoadBalancer } from '@unikorn/sdk';

import { listenerText, parseListener, withAddresses } from './loadbalancer-listener.ts';
import type { Noun } from './noun.ts';

export const loadbalancer: Noun<LoadBalancer> = {
  name: 'loadbalancer',
  plural: 'loadbalancers',
  aliases: ['lb'],
  description: 'one address that distributes connections to several machines',
  service: 'region',
  path: '/api/v2/loadbalancers',
  idParameter: 'loadBalancerID',
  verbs: ['get', 'watch', 'explain', 'create', 'update', 'delete'],
  scope: ['organization', 'project', 'region'],
  history: true,
  owner: [],
  columns: [
    { header: 'VIP', value: ({ status }) => status.vipAddress },
    { header: 'PUBLIC-IP', value: ({ status }) => status.publicIP },
    { header: 'NETWORK', value: ({ status }) => status.networkId, noun: 'network' },
    { header: 'REGION', value: ({ status }) => status.regionId, noun: 'region', wide: true },
    { header: 'LISTENERS', value: ({ spec }) => spec.listeners.map(listenerText), wide: true },
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
      description: 'its network',
    },
    {
      flag: 'vip',
      path: 'spec.vipAddress',
      type: 'text',
      on: 'create',
      description: 'its address in the network; any free address by default',
    },
    {
      flag: 'listener',
      path: 'spec.listeners',
      type: 'list',
      parse: parseListener,
      complete: withAddresses,
      required: true,
      description:
        'listener and its members, instances or addresses, such as web:tcp:80=web-1:8080,10.0.0.6:8080, or a listener as JSON',
    },
    { flag: 'public-ip', path: 'spec.publicIP', type: 'switch', description: 'give it a public address' },
  ],
  examples: {
    create: 'create front --network web --listener http:tcp:80=web-1:8080,web-2:8080 --public-ip',
    update: 'update front --no-public-ip',
  },
  loss: 'its addresses',
};
