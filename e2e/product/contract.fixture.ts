import {
  contractOperations,
  describeContract,
  type ApiOperation,
  type ContractStage,
  type Deviation,
} from '@unikorn/core/testing/contract';
import { computeBody, computeSpares, runningInstance } from '@unikorn/compute/testing';
import { identityBody } from '@unikorn/identity/testing';
import identity from '@unikorn/identity/testing/contract.json' with { type: 'json' };
import { regionBody, regionSpares, type Estate, type Materials } from '@unikorn/region/testing';
import region from '@unikorn/region/testing/contract.json' with { type: 'json' };

import { currentCompute } from '../../packages/compute/src/contract/delta.fixture.ts';
import { deviations as computeDeviations } from '../../packages/compute/src/contract/deviations.fixture.ts';
import { deviations as identityDeviations } from '../../packages/identity/src/contract/deviations.fixture.ts';
import { deviations as regionDeviations } from '../../packages/region/src/contract/deviations.fixture.ts';
import { furnishedRegion, handsOn, openOrganization } from './estate.fixture.ts';
import type { Product, ServiceName } from './running.fixture.ts';
import { productStage, type Contract } from './stage.fixture.ts';

export const contracts: Readonly<Record<ServiceName, Contract>> = {
  identity: { documents: { 'identity.json': identity }, contract: 'identity.json' },
  region: { documents: { 'region.json': region, 'identity.json': identity }, contract: 'region.json' },
  compute: {
    documents: { 'compute.json': currentCompute, 'region.json': region, 'identity.json': identity },
    contract: 'compute.json',
  },
};

/** Deviations that only occur in the complete product. */
const onlyHere: readonly Deviation[] = [
  {
    where: /^GET \/api\/v1\/oauth2providers \(a valid request .*: was answered with an empty list/,
    why: 'it starts without public login providers',
  },
  {
    where: /^GET \S+\/serviceaccounts \(without the right .*: was answered with 200 \[.*"powerless"/,
    why: 'the caller is a service account, which may always see itself',
  },
];

export const deviations: Readonly<Record<ServiceName, readonly Deviation[]>> = {
  identity: [...seen(identityDeviations), ...onlyHere],
  region: seen(regionDeviations),
  compute: seen(computeDeviations),
};

/** Without the deviations about declarations that no client can see. */
function seen(listed: readonly Deviation[]): readonly Deviation[] {
  return listed.filter(({ hidden }) => !hidden);
}

/** Where the resources of the walk are made. */
export interface Ground {
  readonly product: Product;
  readonly regionId: string;
  /** How long one operation may take. */
  readonly patience_ms: number;
  /** What there is in the region; that of the simulated regions unless given. */
  readonly materials?: Materials;
}

interface Machine {
  readonly metadata: { readonly provisioningStatus: string };
  readonly status: { readonly powerState?: string; readonly rebootingSince?: string };
}

interface Furnished {
  readonly estate: Estate;
  readonly spares: Estate;
  body(operationId: string): object;
}

/** Makes the resources that the requests of a service need. */
export const furnishings: Readonly<Record<ServiceName, (ground: Ground, tenancy: Estate) => Promise<Furnished>>> = {
  identity: (_ground, estate) =>
    Promise.resolve({
      estate,
      spares: {},
      body: (operationId) => identityBody(operationId, estate['projectID'] ?? ''),
    }),
  region: async (ground, tenancy) => {
    const estate = await furnishedRegion(ground, tenancy, 'walked');
    const body = (operationId: string) => regionBody(operationId, (word) => estate[word] ?? '', ground.materials);
    return { estate, body, spares: await regionSpares(handsOn(ground, 'region'), body) };
  },
  compute: async (ground, tenancy) => {
    const estate = await furnishedRegion(ground, tenancy, 'seated');
    const body = (operationId: string) =>
      computeBody(
        operationId,
        (word) => estate[word] ?? '',
        operationId === 'createInstance' ? 'another' : 'walked',
        ground.materials,
      );
    const hands = handsOn(ground, 'compute');
    const instanceID = await runningInstance(hands, { ...body('createInstance'), metadata: { name: 'walked' } });
    return { estate: { ...estate, instanceID }, body, spares: await computeSpares(hands, body('createInstance')) };
  },
};

/** Replays the contract of a service in the running product. `succeeded` gets every operation that succeeded. */
export function describeServiceContract(
  service: ServiceName,
  ground: () => Ground,
  { succeeded, patience_ms }: { readonly succeeded: Set<string>; readonly patience_ms?: number },
): void {
  describeContract(`${service} in the running product`, {
    ...contracts[service],
    deviations: deviations[service],
    ...(patience_ms === undefined ? {} : { patience_ms }),
    start: async () => {
      const { product, materials } = ground();
      const { estate: tenancy, powerless } = await openOrganization(product, `contract-${service}`);
      const furnished = await furnishings[service](ground(), tenancy);
      const stage = productStage(product, {
        service,
        contract: contracts[service],
        powerless,
        succeeded,
        ...furnished,
        importRegionId: materials?.otherRegionId,
      });
      return {
        ...stage,
        ready: (operation) => machineAtRest(ground(), service, operation, stage),
        stop: () => Promise.resolve(),
      };
    },
  });
}

/** A real machine is busy for a while after a reboot, and refuses some operations in that time. */
async function machineAtRest(
  ground: Ground,
  service: ServiceName,
  operation: ApiOperation,
  { variable }: Pick<ContractStage, 'variable'>,
): Promise<void> {
  const [, collection, name] = /^(.*)\/\{(serverID|instanceID)\}/.exec(operation.path) ?? [];
  if (collection === undefined || name === undefined) return;
  const path = `${collection}/${variable(name, 'present', operation)}`;
  const { call, eventually, operatorToken: token } = handsOn(ground, service);
  await eventually(
    async () => (await call('GET', path, { token })).body as Machine,
    ({ metadata, status }) =>
      metadata.provisioningStatus === 'provisioned' &&
      status.rebootingSince === undefined &&
      ['Running', 'Stopped'].includes(String(status.powerState)),
  );
}

/** Every operation of the contract must have succeeded, or be listed as not served. */
export function leftOut(service: ServiceName, succeeded: ReadonlySet<string>): readonly string[] {
  const notServed = (name: string) => deviations[service].some(({ where }) => where.test(`${name}: is not served`));
  const names = contractOperations(contracts[service]).map(({ name }) => name);
  return names.filter((name) => !succeeded.has(`${service} ${name}`) && !notServed(name));
}
