import { toError } from '../../errors/index.ts';
import { preciseTimestamp, type World } from '../../world/index.ts';
import type { ClusterClient } from './client.ts';
import { refusalOf } from './failure.ts';
import { asResource } from './objects.ts';

const name = 'unikorn-probe';
const leases = '/apis/coordination.k8s.io/v1/namespaces';

interface ProbeContext {
  readonly client: ClusterClient;
  readonly world: World;
  readonly namespace: string;
}

/** Writes a small object that nothing else uses. It does not matter how often the write takes effect. */
export function probeByWriting(context: ProbeContext): Promise<void> {
  return context.client.settle(
    () => write(context),
    (refusal) => Promise.reject(toError(refusal)),
  );
}

/** It only needs the rights of a leader election: to get, create and update leases. */
async function write({ client, world, namespace }: ProbeContext): Promise<void> {
  const path = `${leases}/${namespace}/leases`;
  const spec = { renewTime: preciseTimestamp(world.now()) };
  const current = await client.send({ method: 'GET', path: `${path}/${name}` });
  if (current.status !== 200 && current.status !== 404) throw refusalOf(current, { kind: 'Lease', name });
  const answer =
    current.status === 404
      ? await client.send({ method: 'POST', path, body: JSON.stringify({ metadata: { name }, spec }) })
      : await client.send({
          method: 'PUT',
          path: `${path}/${name}`,
          body: JSON.stringify({ metadata: asResource(current.body).metadata, spec }),
        });
  // Another process may write it at the same time.
  if (![200, 201, 409].includes(answer.status)) throw refusalOf(answer, { kind: 'Lease', name });
}
