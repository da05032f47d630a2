import type { Runnable } from '@unikorn/core/controller';
import { leasedPart, type Part, type PartContext, type PartName } from '@unikorn/core/parts';

import type { RegionConfiguration } from './configuration.ts';
import { projectConsumer } from './consumers/project.ts';
import type { RegionContext } from './context.ts';
import { recorderOf, regionHistorySweeper, type RegionHistories } from './history/index.ts';
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

/** Parts that charge quota, release it or hold a project call identity. */
const needsIdentity: readonly PartName[] = ['identity/api'];

/** All parts of region except its API. */
export function backgroundParts(
  { histories, ...context }: RegionContext & PartContext & { readonly histories: RegionHistories },
  configuration: Required<RegionConfiguration>,
): readonly Part[] {
  const part = (
    name: string,
    work: (context: RegionContext) => readonly Runnable[],
    needs: readonly PartName[] = [],
  ): Part => leasedPart(context, { name: `region/${name}`, needs, work: (caches) => work({ ...context, caches }) });
  return [
    part('identity-controller', identityControllers, needsIdentity),
    // The process that reconciles resources also records their changes. One part removes the old history of all kinds.
    part(
      'network-controller',
      (own) => [
        ...networkControllers(own, histories.networks),
        recorderOf(histories.networks, own),
        regionHistorySweeper(own, configuration.historyRetention_ms),
      ],
      needsIdentity,
    ),
    part('security-group-controller', (own) => [
      ...securityGroupControllers(own, histories.securityGroups),
      recorderOf(histories.securityGroups, own),
    ]),
    part(
      'load-balancer-controller',
      (own) => [...loadBalancerControllers(own, histories.loadBalancers), recorderOf(histories.loadBalancers, own)],
      needsIdentity,
    ),
    // Only servers use SSH certificate authorities, and an authority that is being deleted waits for its servers.
    part('server-controller', (own) => [
      ...serverControllers(own, configuration, histories.servers),
      ...sshCertificateAuthorityControllers(own, histories.sshCertificateAuthorities),
      recorderOf(histories.sshCertificateAuthorities, own),
      recorderOf(histories.servers, own),
    ]),
    part(
      'file-storage-controller',
      (own) => [...fileStorageControllers(own, histories.fileStorage), recorderOf(histories.fileStorage, own)],
      needsIdentity,
    ),
    part('monitor', (own) => regionMonitors(own, configuration)),
    part('project-consumer', (own) => [projectConsumer(own)], needsIdentity),
  ];
}
