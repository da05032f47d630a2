import { dataOf } from '@unikorn/sdk';

import type { shareConsole } from './console.fixture.ts';
import { createInstances } from './furnish.fixture.ts';

/** One of everything that has a page or a dialog. Gives the ids by the nouns of the command line. */
export async function furnishEverything({
  api,
  credentials,
  organizationId,
  organizationName,
  projectId,
  networkId,
  groupIds,
}: Awaited<ReturnType<typeof shareConsole>>): Promise<Readonly<Record<string, string>>> {
  const { identity, region, compute } = api;
  const { regionId = '', flavorId = '', imageId = '' } = credentials;
  const place = { organizationId, projectId };
  const at = { params: { path: { organizationID: organizationId } } };
  const query = { organizationID: [organizationId], projectID: [projectId] };
  const instances = await dataOf(compute.GET('/api/v2/instances', { params: { query } }));
  const [securityGroup] = await dataOf(region.GET('/api/v2/securitygroups', { params: { query } }));
  const classes = await dataOf(region.GET('/api/v2/filestorageclasses'));
  const storageClassId = classes.find(({ spec }) => spec.regionId === regionId)?.metadata.id ?? '';
  const members = instances.flatMap(({ status: { privateIP } }) =>
    privateIP === undefined ? [] : [{ address: privateIP, port: 8080 }],
  );
  const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPGucQ1EVSwciWRrynJwJVdFEGn+inrVPM8OPvvu1kIG';
  const made = {
    loadbalancer: dataOf(
      region.POST('/api/v2/loadbalancers', {
        body: {
          metadata: { name: 'edge' },
          spec: {
            networkId,
            publicIP: true,
            listeners: [{ name: 'http', protocol: 'tcp', port: 80, pool: { members } }],
          },
        },
      }),
    ),
    filestorage: dataOf(
      region.POST('/api/v2/filestorage', {
        body: {
          metadata: { name: 'shared' },
          spec: {
            ...place,
            regionId,
            storageClassId,
            sizeGiB: 100,
            storageType: { NFS: { rootSquash: true } },
            attachments: { networkIds: [networkId] },
          },
        },
      }),
    ),
    sshca: dataOf(
      region.POST('/api/v2/sshcertificateauthorities', {
        body: { metadata: { name: 'team' }, spec: { ...place, publicKey } },
      }),
    ),
    serviceaccount: dataOf(
      identity.POST('/api/v1/organizations/{organizationID}/serviceaccounts', {
        ...at,
        body: { metadata: { name: 'deploy' }, spec: { groupIDs: [groupIds.developers] } },
      }),
    ),
    user: dataOf(
      identity.POST('/api/v1/organizations/{organizationID}/users', {
        ...at,
        body: {
          spec: { subject: `eve@${organizationName}.example.com`, state: 'active', groupIDs: [groupIds.readers] },
        },
      }),
    ),
    loginprovider: dataOf(
      identity.POST('/api/v1/organizations/{organizationID}/oauth2providers', {
        ...at,
        body: {
          metadata: { name: 'corporate' },
          spec: { issuer: 'https://login.example.com', clientID: 'unikorn', clientSecret: 'secret' },
        },
      }),
    ),
    oauth2client: dataOf(
      identity.POST('/api/v1/oauth2clients', {
        body: { metadata: { name: 'wiki' }, spec: { redirectUris: ['https://wiki.example.com/'] } },
      }),
    ),
    organization: dataOf(
      identity.POST('/api/v1/organizations', {
        body: {
          metadata: { name: `by-domain-${organizationName}` },
          spec: { organizationType: 'domain', domain: `${organizationName}.example.com` },
        },
      }),
    ),
  };
  const ids = await Promise.all(
    Object.entries(made).map(async ([noun, answer]) => [noun, (await answer).metadata.id] as const),
  );
  const [gone = ''] = await createInstances(api, ['departed'], { ...place, networkId, flavorId, imageId });
  await compute.DELETE('/api/v2/instances/{instanceID}', { params: { path: { instanceID: gone } } });
  return {
    ...Object.fromEntries(ids),
    gone,
    instance: instances.find(({ metadata }) => metadata.name === 'web-1')?.metadata.id ?? '',
    network: networkId,
    securitygroup: securityGroup?.metadata.id ?? '',
    region: regionId,
    image: imageId,
    class: storageClassId,
    project: projectId,
    group: groupIds.developers,
  };
}
