import { openstackRegion, password, physicalNetwork, type Site } from './site.ts';

/** Who calls, and for what. Names, as in an openrc file. */
export interface Account {
  readonly user: string;
  readonly domain: string;
  readonly scope: { readonly project: string } | { readonly projectId: string } | 'domain';
}

export const administrator: Account = { user: 'admin', domain: 'Default', scope: { project: 'admin' } };

/** The user of a region. It is the manager of its own domain, and an administrator of nothing. */
export const regionUser = { user: 'unikorn', domain: 'unikorn', project: 'unikorn-provider' };

export const externalNetworkTag = 'unikorn:public';

/** What a test must know to use a cloud; in its folder as `cloud.json`. */
export interface Access {
  readonly authUrl: string;
  readonly region: string;
  /** Of every account. */
  readonly password: string;
  readonly regionUser: typeof regionUser;
  readonly externalNetworkTag: string;
  readonly physicalNetwork: string;
}

export function accessTo(site: Site): Access {
  return {
    authUrl: site.url('keystone', '/v3'),
    region: openstackRegion,
    password,
    regionUser,
    externalNetworkTag,
    physicalNetwork,
  };
}
