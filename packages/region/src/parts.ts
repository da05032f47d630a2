import type { Runnable } from '@unikorn/core/controller';
import { leasedPart, type Part, type PartContext, type PartName } from '@unikorn/core/parts';

import type { RegionConfiguration } from './configuration.ts';
import { projectConsumer } from './consumers/project.ts';
import type { RegionContext } from './context.ts';
import {
  fileStorageControllers,
  identityControllers,
  loadBalancerControllers,
  networkControllers,
  securityGroupControllers,
  serverControllers,
  sshCertificateAuthorityControllers,
} from './managers/index.ts';
import { regionMonitors } from './monitor/index.ts';

/** Those that charge, release or hold a project ask identity to do it. */
const needsIdentity: readonly PartName[] = ['identity/api'];

/** Every part of region but its API. */
export function backgroundParts(
  context: RegionContext & PartContext,
  configuration: Required<RegionConfiguration>,
): readonly Part[] {
  const part = (
    name: string,
    work: (context: RegionContext) => readonly Runnable[],
    needs: readonly PartName[] = [],
  ): Part => leasedPart(context, { name: `region/${name}`, needs, work: (caches) => work({ ...context, caches }) });
  return [
    part('identity-controller', identityControllers, needsIdentity),
    part('network-controller', networkControllers, needsIdentity),
    part('security-group-controller', securityGroupControllers),
    part('load-balancer-controller', loadBalancerControllers, needsIdentity),
    // Only servers use SSH certificate authorities, and an authority that is being deleted waits for its servers.
    part('server-controller', (own) => [
      ...serverControllers(own, configuration),
      ...sshCertificateAuthorityControllers(own),
    ]),
    part('file-storage-controller', fileStorageControllers, needsIdentity),
    part('monitor', (own) => regionMonitors(own, configuration)),
    part('project-consumer', (own) => [projectConsumer(own)], needsIdentity),
  ];
}
