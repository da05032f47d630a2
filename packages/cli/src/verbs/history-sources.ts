import { dataOf, type Change, type History, type OnInterruption } from '@unikorn/sdk';

import type { Session } from '../session.ts';

export interface HistoryQuery {
  readonly limit?: number;
}

export interface Following {
  readonly signal: AbortSignal;
  readonly onInterruption: OnInterruption;
}

/** The history of one resource: its latest entries, and new entries as they are written. */
export interface HistorySource {
  read(query: HistoryQuery): Promise<History>;
  follow(query: HistoryQuery, following: Following): AsyncIterable<Change<History[number]>>;
}

type SourceOf = (session: Session, id: string) => HistorySource | Promise<HistorySource>;

/** Where the history of each noun is. */
export const historySources: Readonly<Record<string, SourceOf>> = {
  instance: ({ unikorn: { compute } }, instanceID) => {
    const path = '/api/v2/instances/{instanceID}/history';
    const params = (query: HistoryQuery) => ({ params: { path: { instanceID }, query: { ...query } } });
    return {
      read: (query) => dataOf(compute.GET(path, params(query))),
      follow: (query, following) => compute.follow(path, { ...params(query), ...following }),
    };
  },
  network: ({ unikorn: { region } }, networkID) => {
    const path = '/api/v2/networks/{networkID}/history';
    const params = (query: HistoryQuery) => ({ params: { path: { networkID }, query: { ...query } } });
    return {
      read: (query) => dataOf(region.GET(path, params(query))),
      follow: (query, following) => region.follow(path, { ...params(query), ...following }),
    };
  },
  securitygroup: ({ unikorn: { region } }, securityGroupID) => {
    const path = '/api/v2/securitygroups/{securityGroupID}/history';
    const params = (query: HistoryQuery) => ({ params: { path: { securityGroupID }, query: { ...query } } });
    return {
      read: (query) => dataOf(region.GET(path, params(query))),
      follow: (query, following) => region.follow(path, { ...params(query), ...following }),
    };
  },
  loadbalancer: ({ unikorn: { region } }, loadBalancerID) => {
    const path = '/api/v2/loadbalancers/{loadBalancerID}/history';
    const params = (query: HistoryQuery) => ({ params: { path: { loadBalancerID }, query: { ...query } } });
    return {
      read: (query) => dataOf(region.GET(path, params(query))),
      follow: (query, following) => region.follow(path, { ...params(query), ...following }),
    };
  },
  filestorage: ({ unikorn: { region } }, filestorageID) => {
    const path = '/api/v2/filestorage/{filestorageID}/history';
    const params = (query: HistoryQuery) => ({ params: { path: { filestorageID }, query: { ...query } } });
    return {
      read: (query) => dataOf(region.GET(path, params(query))),
      follow: (query, following) => region.follow(path, { ...params(query), ...following }),
    };
  },
  sshca: ({ unikorn: { region } }, sshCertificateAuthorityID) => {
    const path = '/api/v2/sshcertificateauthorities/{sshCertificateAuthorityID}/history';
    const params = (query: HistoryQuery) => ({ params: { path: { sshCertificateAuthorityID }, query: { ...query } } });
    return {
      read: (query) => dataOf(region.GET(path, params(query))),
      follow: (query, following) => region.follow(path, { ...params(query), ...following }),
    };
  },
  image: async (session, imageID) => {
    const { region } = session.unikorn;
    const [organizationID, regionID] = [await session.idOf('organization'), await session.idOf('region')];
    const path = '/api/v1/organizations/{organizationID}/regions/{regionID}/images/{imageID}/history';
    const params = (query: HistoryQuery) => ({
      params: { path: { organizationID, regionID, imageID }, query: { ...query } },
    });
    return {
      read: (query) => dataOf(region.GET(path, params(query))),
      follow: (query, following) => region.follow(path, { ...params(query), ...following }),
    };
  },
  project: async (session, projectID) => {
    const { identity } = session.unikorn;
    const organizationID = await session.idOf('organization');
    const path = '/api/v1/organizations/{organizationID}/projects/{projectID}/history';
    const params = (query: HistoryQuery) => ({ params: { path: { organizationID, projectID }, query: { ...query } } });
    return {
      read: (query) => dataOf(identity.GET(path, params(query))),
      follow: (query, following) => identity.follow(path, { ...params(query), ...following }),
    };
  },
};
