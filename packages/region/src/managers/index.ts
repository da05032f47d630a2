import type { Runnable } from '@unikorn/core/controller';

import type { RegionConfiguration } from '../configuration.ts';
import type { RegionContext } from '../context.ts';
import { fileStorageControllers } from './file-storages.ts';
import { identityControllers } from './identities.ts';
import { loadBalancerControllers } from './load-balancers.ts';
import { networkControllers } from './networks.ts';
import { securityGroupControllers } from './security-groups.ts';
import { serverControllers } from './servers.ts';
import { sshCertificateAuthorityControllers } from './ssh-certificate-authorities.ts';

/** Everything that realises what is asked for, each with what wakes it. */
export function regionControllers(
  context: RegionContext,
  configuration: Required<RegionConfiguration>,
): readonly Runnable[] {
  return [
    ...identityControllers(context),
    ...networkControllers(context),
    ...securityGroupControllers(context),
    ...loadBalancerControllers(context),
    ...serverControllers(context, configuration),
    ...fileStorageControllers(context),
    ...sshCertificateAuthorityControllers(context),
  ];
}
