import { allowsGlobal, demand, type Operation } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import { route, type Request, type Route } from '@unikorn/core/http';
import { kindWords } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';

import { RegionPath } from '../../api/common.ts';
import { SimulationDrift, SimulationRead, SimulationWrite } from '../../api/simulation.ts';
import { LoadBalancer, Network, SecurityGroup, Server } from '../../kinds/index.ts';
import { labelOf } from '../../placement.ts';
import type { DriftingSort, SimulatedOperator } from '../../providers/simulated/index.ts';
import { regionFor } from '../../regions/index.ts';
import { endpoints } from '../endpoints.ts';

/** The operator functions of the simulated region with this id. */
export type Simulation = (regionId: string) => SimulatedOperator;

const common = { tags: ['Simulation'], security: 'bearer', params: RegionPath } as const;
const path = '/api/v2/regions/{regionID}/simulation';

const kinds = {
  server: Server,
  network: Network,
  securityGroup: SecurityGroup,
  loadBalancer: LoadBalancer,
} as const satisfies Record<DriftingSort, unknown>;

/** Routes with which an operator changes the behaviour of a simulated region, for example to inject faults. */
export function simulationRoutes(simulation: Simulation): readonly Route[] {
  const handsOn = async (
    request: Pick<Request<{ readonly regionID: string }>, 'acl' | 'params' | 'runtime'>,
    verb: Operation,
  ): Promise<SimulatedOperator> => {
    demand(allowsGlobal(request.acl, endpoints.simulation, verb), endpoints.simulation, verb);
    const { metadata, spec } = await regionFor(request, request.params.regionID);
    if (spec.provider !== 'simulated')
      throw new Problem(
        'invalid_request',
        `region ${metadata.name} has the type ${spec.provider}: only simulated regions can be changed in this way`,
      );
    return simulation(metadata.name);
  };
  return [
    route({
      ...common,
      method: 'GET',
      path,
      operationId: 'getSimulation',
      summary: 'Read the settings of a simulated region',
      responses: { 200: SimulationRead },
      handler: async (request) => ({ status: 200, body: await (await handsOn(request, 'read')).knobs() }),
    }),
    route({
      ...common,
      method: 'PUT',
      path,
      operationId: 'updateSimulation',
      summary: 'Change the settings of a simulated region; settings that are left out stay unchanged',
      body: SimulationWrite,
      responses: { 200: SimulationRead },
      handler: async (request) => ({ status: 200, body: await (await handsOn(request, 'update')).turn(request.body) }),
    }),
    route({
      ...common,
      method: 'POST',
      path: `${path}/drift`,
      operationId: 'driftSimulation',
      summary: 'Change a resource in the simulated cloud directly, without the platform',
      body: SimulationDrift,
      responses: { 202: null },
      handler: async (request) => {
        const { body, params, runtime } = request;
        const operator = await handsOn(request, 'update');
        const identityId = await identityIn(runtime.store, params.regionID, body);
        if (body.kind === 'server') await operator.drift(identityId, body.id, body.drift);
        else if (body.drift === 'deleted') await operator.lose(body.kind, identityId, body.id);
        else throw new Problem('invalid_request', `drift: ${body.drift} is for servers only; use deleted`);
        return { status: 202 };
      },
    }),
  ];
}

/** The principal in the cloud that owns a resource of the region. */
async function identityIn(
  store: Store,
  regionId: string,
  { kind, id }: { readonly kind: DriftingSort; readonly id: string },
): Promise<string> {
  const found = await store.get(kinds[kind], id);
  if (found?.metadata.labels?.[labels.region] !== regionId)
    throw new Problem('not_found', `${kindWords(kinds[kind])} ${id} does not exist in region ${regionId}`);
  return labelOf(found.metadata, labels.identity);
}
