import { identityBody } from '@unikorn/identity/testing';
import { furnishRegion, type Estate, type Hands } from '@unikorn/region/testing';

import type { Ground } from './contract.fixture.ts';
import { eventually, type Product, type ServiceName } from './running.fixture.ts';

interface Made {
  readonly metadata: { readonly id: string; readonly provisioningStatus: string };
  readonly status?: { readonly accessToken?: string };
}

/** Access of the platform administrator to one of the services. */
export function handsOn({ product, patience_ms }: Ground, service: ServiceName): Hands {
  return {
    call: (method, path, options) => product.call(service, method, path, options),
    eventually: (look, holds) => eventually(look, holds, patience_ms),
    operatorToken: product.credentials.adminToken,
  };
}

async function make(product: Product, service: ServiceName, path: string, body: object): Promise<Made> {
  const answer = await product.call(service, 'POST', path, { body });
  if (answer.status >= 300)
    throw new Error(`POST ${path} was answered with ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as Made;
}

/** An organization with one resource of every type in identity, and the token of an account without rights. */
export async function openOrganization(
  product: Product,
  name: string,
): Promise<{ readonly estate: Estate; readonly powerless: string }> {
  const metadata = { name };
  const { metadata: organization } = await make(product, 'identity', '/api/v1/organizations', {
    metadata,
    spec: { organizationType: 'adhoc' },
  });
  const at = `/api/v1/organizations/${organization.id}`;
  const add = (collection: string, operationId: string, within = '') =>
    make(product, 'identity', `${at}${within}/${collection}`, {
      ...identityBody(operationId, within.slice('/projects/'.length)),
      metadata,
    });
  const { metadata: project } = await add('projects', 'createProject');
  await product.call('identity', 'PUT', `${at}/quotas`, { body: { quotas: [{ kind: 'networks', quantity: 100 }] } });
  const estate = {
    organizationID: organization.id,
    projectID: project.id,
    groupid: (await add('groups', 'createGroup')).metadata.id,
    userID: (await add('users', 'createUser')).metadata.id,
    serviceAccountID: (await add('serviceaccounts', 'createServiceAccount')).metadata.id,
    providerID: (await add('oauth2providers', 'createOAuth2Provider')).metadata.id,
    allocationID: (await add('allocations', 'createAllocation', `/projects/${project.id}`)).metadata.id,
    reference: 'networks.region.unikorn-cloud.org/x',
  };
  const { status } = await make(product, 'identity', `${at}/serviceaccounts`, {
    metadata: { name: 'powerless' },
    spec: { groupIDs: [] },
  });
  return { estate, powerless: status?.accessToken ?? '' };
}

/** The organization, also with one resource of every type in region. */
export async function furnishedRegion(ground: Ground, estate: Estate, name: string): Promise<Estate> {
  const { product, regionId, materials } = ground;
  const openClass = async () => {
    const { metadata } = await make(product, 'region', '/api/v2/filestorageclasses', {
      metadata: { name },
      spec: { regionId: materials?.otherRegionId ?? regionId, provisioner: 'simulated', protocols: ['nfsv4'] },
    });
    return metadata.id;
  };
  return furnishRegion(handsOn(ground, 'region'), { ...estate, regionID: regionId }, name, openClass, materials);
}
