import { Client, pause, type Answer } from './client.ts';
import type { Tenant } from './stage.ts';

/** One request of an ordinary caller. */
export interface Sample {
  readonly what: string;
  readonly took_ms: number;
  /** The error, if there was one. */
  readonly failure?: string;
}

/** An ordinary script sends some requests in a row, and pauses in between. */
const moment_ms = 40;

interface Instance {
  readonly metadata: { readonly id: string };
}

/** Sends ordinary requests until the signal aborts, and reports each one. */
export async function workOrdinarily(
  base: string,
  tenant: Tenant,
  lane: number,
  tell: (sample: Sample) => void,
  signal: AbortSignal,
): Promise<void> {
  const client = new Client(base, tenant.token);
  const { organizationId, projectId, networkId, flavorId, imageId } = tenant;
  const step = async (
    what: string,
    method: string,
    path: string,
    body?: object,
    expected: readonly number[] = [200, 201, 202, 204],
  ): Promise<Answer> => {
    const answer = await client.ask(method, path, body);
    const failure = expected.includes(answer.status)
      ? {}
      : {
          failure: `${method} ${path.split('?')[0] ?? ''} was answered with ${answer.status} ${reasonIn(answer.body)}`,
        };
    tell({ what, took_ms: answer.took_ms, ...failure });
    await pause(moment_ms);
    return answer;
  };
  try {
    for (let round = 0; !signal.aborted; round += 1) {
      const spec = { organizationId, projectId, networkId, flavorId, imageId };
      const made = await step('create an instance', 'POST', '/compute/api/v2/instances', {
        metadata: { name: `web-${lane}-${round}` },
        spec,
      });
      const id = made.status === 201 ? (JSON.parse(made.body) as Instance).metadata.id : undefined;
      await step('list instances', 'GET', `/compute/api/v2/instances?projectID=${projectId}`);
      await step('list networks', 'GET', `/region/api/v2/networks?projectID=${projectId}`);
      await step('read quotas', 'GET', `/identity/api/v1/organizations/${organizationId}/quotas`);
      await step('read the health', 'GET', '/compute/healthz');
      if (id === undefined) continue;
      const at = `/compute/api/v2/instances/${id}`;
      await step('read an instance', 'GET', at);
      await step('change an instance', 'PUT', at, {
        metadata: { name: `web-${lane}-${round}`, description: `round ${round}` },
        spec: { flavorId, imageId },
      });
      await step('read a history', 'GET', `${at}/history`);
      await step('delete an instance', 'DELETE', at);
    }
  } finally {
    client.close();
  }
}

/** The error without the parts that differ in every response, such as the trace id. */
function reasonIn(body: string): string {
  const [, reason] = /"error_description":"([^"]*)"/.exec(body) ?? [];
  return reason ?? body.slice(0, 200);
}
