import { systemWorld } from '@unikorn/core/world';
import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';

const world = systemWorld;

const Things = Type.Array(Type.Object({ id: Type.String(), status: Type.Optional(Type.String()) }));
type Things = Static<typeof Things>;

const Login = Type.Object({
  token: Type.Object({
    user: Type.Object({ id: Type.String() }),
    project: Type.Object({ id: Type.String(), domain: Type.Object({ id: Type.String() }) }),
    catalog: Type.Array(
      Type.Object({
        type: Type.String(),
        endpoints: Type.Array(Type.Object({ interface: Type.String(), url: Type.String() })),
      }),
    ),
  }),
});

/** A session with plain requests: one token, and no records, limits or repetitions. */
export class BareCloud {
  readonly userId: string;
  readonly projectId: string;
  readonly domainId: string;
  readonly #urls: ReadonlyMap<string, string>;
  readonly #token: string;

  private constructor({ token }: Static<typeof Login>, subject: string) {
    this.userId = token.user.id;
    this.projectId = token.project.id;
    this.domainId = token.project.domain.id;
    this.#token = subject;
    this.#urls = new Map(
      token.catalog.map(({ type, endpoints }) => [
        type,
        endpoints.find((endpoint) => endpoint.interface === 'public')?.url ?? '',
      ]),
    );
  }

  static async logIn(
    authUrl: string,
    { user, project }: { readonly user: object; readonly project: object },
  ): Promise<BareCloud> {
    const identity = { methods: ['password'], password: { user } };
    const response = await fetch(`${authUrl}/auth/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ auth: { identity, scope: { project } } }),
    });
    return new BareCloud(Value.Parse(Login, await response.json()), response.headers.get('x-subject-token') ?? '');
  }

  list(service: string, field: string, path: string): Promise<Things> {
    return this.#ask(service, 'GET', path, field, Things);
  }

  read(service: string, path: string): Promise<unknown> {
    return this.#call(service, 'GET', path);
  }

  async create(service: string, field: string, path: string, fields: object): Promise<string> {
    return (await this.#ask(service, 'POST', path, field, Type.Object({ id: Type.String() }), { [field]: fields })).id;
  }

  remove(service: string, path: string): Promise<unknown> {
    return this.#call(service, 'DELETE', path);
  }

  async #ask<Schema extends TSchema>(
    service: string,
    method: string,
    path: string,
    field: string,
    schema: Schema,
    body?: object,
  ): Promise<Static<Schema>> {
    const answer = Value.Parse(
      Type.Record(Type.String(), Type.Unknown()),
      await this.#call(service, method, path, body),
    );
    return Value.Parse(schema, answer[field]);
  }

  async #call(service: string, method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.#urls.get(service) ?? ''}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-auth-token': this.#token,
        'x-openstack-nova-api-version': '2.90',
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (response.status >= 400 && response.status !== 404)
      throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}

/** Removes a server and its port, which has the same name. */
export async function removeBareServer(cloud: BareCloud, name: string): Promise<void> {
  const named = () => cloud.list('compute', 'servers', `/servers/detail?name=${name}`);
  for (let servers = await named(); servers.length > 0; servers = await named()) {
    for (const { id } of servers) await cloud.remove('compute', `/servers/${id}`);
    await world.sleep(1_000);
  }
  for (const { id } of await cloud.list('network', 'ports', `/v2.0/ports?name=${name}`))
    await cloud.remove('network', `/v2.0/ports/${id}`);
}

export interface BareServer {
  readonly name: string;
  readonly flavorId: string;
  readonly imageId: string;
  /** The id of the network in the cloud. */
  readonly cloudNetworkId: string;
  /** The name of the network in the cloud. */
  readonly cloudNetworkName: string;
  readonly look_ms: number;
  /**
   * The least that a careful client calls: it looks whether the server or its port exist, makes both, and looks at the
   * server until it is active. Or the same calls as the provider, which also looks at the network, at the image, and
   * once more at the ports.
   */
  readonly calls: 'the least' | 'the same';
}

/** Makes a server with bare calls. Returns the seconds until Nova has accepted it. */
export async function makeBareServer(
  cloud: BareCloud,
  { name, flavorId, imageId, cloudNetworkId, cloudNetworkName, look_ms, calls }: BareServer,
): Promise<number> {
  const begun = performance.now();
  const look = () => cloud.list('compute', 'servers', `/servers/detail?name=%5E${name}%24`);
  const listPorts = () => cloud.list('network', 'ports', `/v2.0/ports?name=${name}&project_id=${cloud.projectId}`);
  await Promise.all([look(), listPorts()]);
  if (calls === 'the same')
    await Promise.all([
      cloud.list('network', 'networks', `/v2.0/networks?name=${cloudNetworkName}&project_id=${cloud.projectId}`),
      cloud.read('image', `/v2/images/${imageId}`),
    ]);
  const portId = await cloud.create('network', 'port', '/v2.0/ports', {
    name,
    network_id: cloudNetworkId,
    security_groups: [],
  });
  if (calls === 'the same') await listPorts();
  const fields = { name, imageRef: imageId, flavorRef: flavorId, networks: [{ port: portId }] };
  await cloud.create('compute', 'server', '/servers', fields);
  const accepted = (performance.now() - begun) / 1000;
  for (let status: string | undefined; status !== 'ACTIVE';) {
    await world.sleep(look_ms);
    status = (await look())[0]?.status;
    if (status === 'ERROR') throw new Error('the cloud could not build the server');
  }
  return accepted;
}
