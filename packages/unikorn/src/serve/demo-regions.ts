import { defaultCatalogue } from '@unikorn/region/providers/simulated';

import type { Api } from './api.ts';
import type { Credentials } from './credentials.ts';
import { flavorId, imageId, seedInstances } from './demo-instances.ts';

type Projects = Required<Pick<Credentials, 'organizationId' | 'projectId' | 'secondaryProjectId'>>;
type Regions = Required<Pick<Credentials, 'regionId' | 'secondaryRegionId' | 'networkId' | 'flavorId' | 'imageId'>>;

const administratorKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDmMXyZRyTnrNTSQ3ge6aizOSFjnmqL1RDIxfy6Tl36B demo';

/** Two regions, one of them with GPUs, as an operator adds them, and the resources of the demo users in them. */
export async function seedRegions(
  operator: Api,
  user: Api,
  { organizationId, projectId, secondaryProjectId }: Projects,
): Promise<Regions> {
  const withoutGpus = defaultCatalogue.flavors.filter(({ gpu }) => !gpu).map(({ id }) => id);
  const region = (name: string, simulated: object) =>
    operator.ensure('/region/api/v2/regions', { metadata: { name }, spec: { type: 'simulated', simulated } });
  const [north, south] = [await region('north', { flavorIDs: withoutGpus }), await region('south', {})];
  for (const { metadata } of [north, south]) {
    await operator.ensure('/region/api/v2/filestorageclasses', {
      metadata: { name: `files-${metadata.name}` },
      spec: { regionId: metadata.id, provisioner: 'simulated', protocols: ['nfsv4'] },
    });
  }
  const network = (name: string, project: string, regionId: string, prefix: string) =>
    user.ensure('/region/api/v2/networks', {
      metadata: { name },
      spec: { organizationId, projectId: project, regionId, prefix, dnsNameservers: [] },
    });
  const { metadata: frontend } = await network('frontend', projectId, north.metadata.id, '10.0.0.0/24');
  const { metadata: training } = await network('training', secondaryProjectId, south.metadata.id, '10.1.0.0/24');
  const { metadata: web } = await user.ensure('/region/api/v2/securitygroups', {
    metadata: { name: 'web' },
    spec: { networkId: frontend.id, rules: webRules },
  });
  await user.ensure('/region/api/v2/sshcertificateauthorities', {
    metadata: { name: 'team' },
    spec: { organizationId, projectId, publicKey: administratorKey },
  });
  await seedInstances(operator, user, {
    website: { organizationId, projectId, networkId: frontend.id },
    research: { organizationId, projectId: secondaryProjectId, networkId: training.id },
    webSecurityGroupId: web.id,
    researchRegionId: south.metadata.id,
  });
  return {
    regionId: north.metadata.id,
    secondaryRegionId: south.metadata.id,
    networkId: frontend.id,
    flavorId,
    imageId,
  };
}

const webRules = [22, 80, 443].map((port) => ({ direction: 'ingress', protocol: 'tcp', port, prefix: '0.0.0.0/0' }));
