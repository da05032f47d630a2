import { toError } from '../../errors/index.ts';
import { preciseTimestamp, type World } from '../../world/index.ts';
import type { ClusterClient } from './client.ts';
import { refusalOf } from './failure.ts';

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

async function write({ client, world, namespace }: ProbeContext): Promise<void> {
  const path = `${leases}/${namespace}/leases`;
  const spec = { renewTime: preciseTimestamp(world.now()) };
  const patched = await client.send({
    method: 'PATCH',
    path: `${path}/${name}`,
    type: 'application/merge-patch+json',
    body: JSON.stringify({ spec }),
  });
  if (patched.status === 200) return;
  const answer =
    patched.status === 404
      ? await client.send({ method: 'POST', path, body: JSON.stringify({ metadata: { name }, spec }) })
      : patched;
  // Another process may create it at the same time.
  if (answer.status !== 201 && answer.status !== 409) throw refusalOf(answer, { kind: 'Lease', name });
}
