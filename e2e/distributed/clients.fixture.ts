import { Agent } from 'node:http';

import type { WireAnswer } from '@unikorn/core/testing/contract';
import { systemWorld } from '@unikorn/core/world';
import { roleIdOf } from '@unikorn/identity';
import { defaultCatalogue } from '@unikorn/region/providers/simulated';

import { send as sendOnce, type HttpRequest, type Product } from '../product/running.fixture.ts';
import type { ServiceName } from '../../packages/unikorn/src/parts/table.ts';
import type { Replica } from './platform.fixture.ts';

/** Only its path is used: the request goes to one of the replicas. */
const origin = 'http://cloud.example.com';
/** A request that is refused for so long has found a bug. */
const patience_ms = 180_000;

interface Made {
  readonly metadata: { readonly id: string };
  readonly status: { readonly accessToken: string };
}

/**
 * The platform as the suites of clients in `e2e/product` see it. Requests go to the replicas of the APIs in turn. Only
 * a request that certainly had no effect is sent again: the replica did not accept the connection, or answered 503 and
 * did not say that the change may have been made.
 */
export async function platformProduct(replicas: readonly Replica[], adminToken: string): Promise<Product> {
  const agent = new Agent({ keepAlive: false });
  let turn = 0;
  const send = async (url: string, sent: HttpRequest): Promise<WireAnswer> => {
    const { pathname, search } = new URL(url);
    const service = pathname.split('/')[1];
    const open = replicas.filter((each) => each.servesApi && each.service === service);
    const end_ms = systemWorld.monotonic_ms() + patience_ms;
    for (;;) {
      const port = open[turn++ % open.length]?.ports.open ?? 0;
      try {
        const answer = await sendOnce(agent, `http://127.0.0.1:${port}${pathname}${search}`, sent);
        const isWithoutEffect = answer.statusCode === 503 && !answer.body.includes('may have been made');
        if (!isWithoutEffect || systemWorld.monotonic_ms() > end_ms) return answer;
      } catch (error) {
        if (systemWorld.monotonic_ms() > end_ms) throw error;
      }
      await systemWorld.sleep(100);
    }
  };
  const endpoints = { identity: `${origin}/identity`, region: `${origin}/region`, compute: `${origin}/compute` };
  const call: Product['call'] = async (service, method, path, asked) => {
    const { token = adminToken, body, headers = {} } = asked ?? {};
    const answer = await send(`${endpoints[service]}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body ? { payload: body } : {}),
    });
    return {
      status: answer.statusCode,
      body: answer.body === '' ? undefined : JSON.parse(answer.body),
      headers: answer.headers,
    };
  };
  const make = async (service: ServiceName, path: string, body: object): Promise<Made> => {
    const answer = await call(service, 'POST', path, { body });
    if (answer.status >= 300)
      throw new Error(`POST ${path} was answered with ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Made;
  };

  const { metadata: organization } = await make('identity', '/api/v1/organizations', {
    metadata: { name: 'demo' },
    spec: { organizationType: 'adhoc' },
  });
  const at = `/api/v1/organizations/${organization.id}`;
  const group = async (name: string, role: string) =>
    (
      await make('identity', `${at}/groups`, {
        metadata: { name },
        spec: { serviceAccountIDs: [], roleIDs: [roleIdOf(role)] },
      })
    ).metadata.id;
  const administrators = await group('administrators', 'administrator');
  const readers = await group('readers', 'reader');
  const { metadata: project } = await make('identity', `${at}/projects`, {
    metadata: { name: 'website' },
    spec: { groupIDs: [administrators] },
  });
  await make('identity', `${at}/users`, {
    metadata: { name: 'carol' },
    spec: { subject: 'carol@example.com', state: 'active', groupIDs: [readers] },
  });
  const robot = await make('identity', `${at}/serviceaccounts`, {
    metadata: { name: 'robot' },
    spec: { groupIDs: [administrators] },
  });
  const region = async (name: string) => {
    const { metadata } = await make('region', '/api/v2/regions', {
      metadata: { name },
      spec: { type: 'simulated', simulated: {} },
    });
    await make('region', '/api/v2/filestorageclasses', {
      metadata: { name: `files-${name}` },
      spec: { regionId: metadata.id, provisioner: 'simulated', protocols: ['nfsv4'] },
    });
    await call('region', 'PUT', `/api/v2/regions/${metadata.id}/simulation`, { body: instantly });
    return metadata.id;
  };
  const offered = ({ flavors, images }: typeof defaultCatalogue, flavor: string, image: string) => ({
    flavorId: flavors.find(({ name }) => name === flavor)?.id ?? '',
    imageId: images.find(({ name }) => name === image)?.id ?? '',
  });
  return {
    credentials: {
      endpoints,
      adminToken,
      token: robot.status.accessToken,
      organizationId: organization.id,
      projectId: project.id,
      regionId: await region('north'),
      secondaryRegionId: await region('south'),
      ...offered(defaultCatalogue, 'sim-standard-4', 'debian-13-amd64'),
    } as Product['credentials'],
    send,
    call,
    stop: () => {
      agent.destroy();
      return Promise.resolve();
    },
  };
}

const instantly = { call_ms: 0, build_ms: 0, power_ms: 0, delete_ms: 0, image_ms: 0, loadBalancer_ms: 0 };
