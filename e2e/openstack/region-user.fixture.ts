import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';

import {
  openCloud,
  type CallRecord,
  type OpenstackCloud,
} from '../../packages/region/src/providers/openstack/client/index.ts';
import type { Tenants } from '../../packages/region/src/providers/openstack/tenants.ts';
import { access } from './cloud.fixture.ts';

/** The provider's own client of the cloud under test. */
export function openClient(onCall?: (record: CallRecord) => void): OpenstackCloud {
  return openCloud({
    access: { authUrl: access.authUrl, regionName: access.region, interface: 'public', tls: { verify: true } },
    world: systemWorld,
    telemetry: silentTelemetry(),
    ...(onCall ? { onCall } : {}),
  });
}

/** The region's user in this project, for every identity. */
export function managerOf(cloud: OpenstackCloud, projectId: string): Tenants {
  const { user, domain } = access.regionUser;
  const session = cloud.session({
    credential: { method: 'password', user: { name: user, domain: { name: domain } }, password: access.password },
    scope: { project: { id: projectId } },
  });
  return () => Promise.resolve({ projectId, session });
}
