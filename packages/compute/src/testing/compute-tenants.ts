import type { AccessStage, Situation } from '@unikorn/identity/testing/access';
import { regionTenants, type Estate, type Hands, type Materials } from '@unikorn/region/testing';

import { standardFlavor, ubuntuImage, type RunningCompute } from './start-compute.ts';

const situations = ['own project', 'sibling project', 'other organization'] as const;

interface Made {
  readonly metadata: { readonly id: string; readonly provisioningStatus: string };
}

/** The tenants of region, with a running instance in each of their networks. */
export async function computeTenants(
  running: RunningCompute,
): Promise<Pick<AccessStage, 'callers' | 'tenants' | 'secrets' | 'variable' | 'body'>> {
  const tenants = await regionTenants({
    ...running,
    call: (method, path, options) => running.request(method, `/region${path}`, options),
  });
  const [rivalName = ''] = tenants.secrets;
  const instances = new Map<Situation, string>();
  for (const situation of situations) {
    const body = computeBody(
      'createInstance',
      (word) => tenants.variable(word, situation),
      situation === 'other organization' ? rivalName : 'walked',
    );
    instances.set(situation, await runningInstance(running, body));
  }
  const variable = (name: string, situation: Situation) =>
    (name === 'instanceID' ? instances.get(situation) : undefined) ?? tenants.variable(name, situation);
  return {
    ...tenants,
    variable,
    body: (operationId, situation) =>
      computeBody(
        operationId,
        (word) => variable(word, situation),
        operationId === 'createInstance' ? 'another' : 'walked',
      ),
  };
}

/** Creates an instance as the platform administrator. */
export async function runningInstance(
  { call, eventually, operatorToken: token }: Hands,
  body: object,
): Promise<string> {
  const answer = await call('POST', '/api/v2/instances', { token, body });
  if (answer.status !== 201)
    throw new Error(`the instance was answered ${answer.status} ${JSON.stringify(answer.body)}`);
  const { id } = (answer.body as Made).metadata;
  await eventually(
    async () => ((await call('GET', `/api/v2/instances/${id}`, { token })).body as Made).metadata.provisioningStatus,
    (status) => status === 'provisioned',
  );
  return id;
}

/** Additional instances for some operations, by name: a stopped one, and one to stop. */
export async function computeSpares(hands: Hands, body: object): Promise<Estate> {
  const { call, eventually, operatorToken: token } = hands;
  const spare = (name: string) => runningInstance(hands, { ...body, metadata: { name } });
  const stopped = await spare('stopped');
  await call('POST', `/api/v2/instances/${stopped}/stop`, { token });
  await eventually(
    async () => (await call('GET', `/api/v2/instances/${stopped}`, { token })).body,
    (seen) => JSON.stringify(seen).includes('"Stopped"'),
  );
  return {
    'POST /api/v2/instances/{instanceID}/start': stopped,
    'POST /api/v2/instances/{instanceID}/stop': await spare('running'),
  };
}

/** A valid body of an operation, with the given placeholders. */
export function computeBody(
  operationId: string,
  word: (name: string) => string,
  name: string,
  { flavorId, imageId }: Pick<Materials, 'flavorId' | 'imageId'> = { flavorId: standardFlavor, imageId: ubuntuImage },
): object {
  const wanted = { flavorId, imageId };
  const metadata = { name };
  switch (operationId) {
    case 'createInstance':
      return {
        metadata,
        spec: {
          ...wanted,
          organizationId: word('organizationID'),
          projectId: word('projectID'),
          networkId: word('networkID'),
        },
      };
    case 'updateInstance':
    case 'planInstanceUpdate':
      return { metadata, spec: wanted };
    case 'snapshotInstance':
      return { metadata };
    default:
      throw new Error(`the walk has no body for ${operationId}`);
  }
}
