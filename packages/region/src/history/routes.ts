import { activityRoute, historyRoute } from '@unikorn/core/history';
import type { Request, Route } from '@unikorn/core/http';

import {
  FileStoragePath,
  LoadBalancerPath,
  NetworkPath,
  OrganizationImagePath,
  SecurityGroupPath,
  ServerPath,
  SshCertificateAuthorityPath,
} from '../api/common.ts';
import { ResourceHistoryRead as response } from '../api/history.ts';
import { regionHistoryStorage } from '../kinds/index.ts';
import type { Providers } from '../regions/index.ts';
import { allOf, type RegionHistories } from './histories.ts';
import { imageOf } from './image-objects.ts';

/**
 * The routes for the history of each resource, for callers who may read the resource, and for the activity on all of
 * them.
 */
export function historyRoutes(histories: RegionHistories, providers: Providers): readonly Route[] {
  const { networks, securityGroups, loadBalancers, fileStorage, sshCertificateAuthorities, servers, images } =
    histories;
  // The cloud is only asked for an image without a stored history: one of the region, or one that an earlier version or
  // another tool created.
  const findImage = async (request: Request) =>
    (await images.owner(request.params['imageID'] ?? '')) ? undefined : imageOf(request, providers, 'availableTo');
  const subjects = allOf(histories).map(({ subject }) => subject);
  return [
    activityRoute('/api/v2/activity', regionHistoryStorage, subjects),
    historyRoute({
      history: networks,
      path: '/api/v2/networks/{networkID}',
      params: NetworkPath,
      operationId: 'getNetworkHistory',
      summary: 'Read what happened to a network, the latest entry last, also after it was deleted',
      tags: ['Networks'],
      response,
    }),
    historyRoute({
      history: securityGroups,
      path: '/api/v2/securitygroups/{securityGroupID}',
      params: SecurityGroupPath,
      operationId: 'getSecurityGroupHistory',
      summary: 'Read what happened to a security group, the latest entry last, also after it was deleted',
      tags: ['Security groups'],
      response,
    }),
    historyRoute({
      history: loadBalancers,
      path: '/api/v2/loadbalancers/{loadBalancerID}',
      params: LoadBalancerPath,
      operationId: 'getLoadBalancerHistory',
      summary: 'Read what happened to a load balancer, the latest entry last, also after it was deleted',
      tags: ['Load balancers'],
      response,
    }),
    historyRoute({
      history: fileStorage,
      path: '/api/v2/filestorage/{filestorageID}',
      params: FileStoragePath,
      operationId: 'getFileStorageHistory',
      summary: 'Read what happened to file storage, the latest entry last, also after it was deleted',
      tags: ['File storage'],
      response,
    }),
    historyRoute({
      history: sshCertificateAuthorities,
      path: '/api/v2/sshcertificateauthorities/{sshCertificateAuthorityID}',
      params: SshCertificateAuthorityPath,
      operationId: 'getSshCertificateAuthorityHistory',
      summary: 'Read what happened to an SSH certificate authority, the latest last, also when it is gone',
      tags: ['SSH certificate authorities'],
      response,
    }),
    historyRoute({
      history: servers,
      path: '/api/v2/servers/{serverID}',
      params: ServerPath,
      operationId: 'getServerHistory',
      summary: 'Read what operators did to a server, and its failures, the latest entry last',
      tags: ['Servers'],
      hidden: true,
      response,
    }),
    historyRoute({
      history: images,
      path: '/api/v1/organizations/{organizationID}/regions/{regionID}/images/{imageID}',
      params: OrganizationImagePath,
      operationId: 'getImageHistory',
      summary: 'Read what happened to an image of an organization, the latest entry last, also after it was deleted',
      tags: ['Images'],
      find: findImage,
      response,
    }),
  ];
}
