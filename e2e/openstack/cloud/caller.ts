import type { Access, Account } from './access.ts';
import { send, type Sent } from './http.ts';

/** Calls a service of the cloud by its type. An answer that is not a success is an error. */
export type Caller = (
  service: string,
  method: string,
  path: string,
  sent?: Omit<Sent, 'token'> & { readonly tolerate?: readonly number[] },
) => Promise<Json>;

/** JSON from the cloud; who reads it knows its form. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

interface Token {
  readonly token: {
    readonly catalog: readonly {
      readonly type: string;
      readonly endpoints: readonly { readonly interface: string; readonly url: string }[];
    }[];
  };
}

/** Logs in with plain calls. The catalogue is read with every token, so it knows services that were added later. */
export async function logIn({ authUrl, password }: Access, { user, domain, scope }: Account): Promise<Caller> {
  const answer = await send('POST', `${authUrl}/auth/tokens`, {
    body: {
      auth: {
        identity: { methods: ['password'], password: { user: { name: user, domain: { name: domain }, password } } },
        scope: scopeOf(domain, scope),
      },
    },
  });
  if (answer.status !== 201) throw new Error(`Keystone refuses ${user}: ${JSON.stringify(answer.body)}`);
  const token = String(answer.headers['x-subject-token']);
  const { catalog } = (answer.body as Token).token;
  const urls = new Map(
    catalog.map(({ type, endpoints }) => [type, endpoints.find((endpoint) => endpoint.interface === 'public')?.url]),
  );
  return async (service, method, path, { tolerate = [], ...sent } = {}) => {
    const url = urls.get(service);
    if (url === undefined) throw new Error(`the catalogue has no service of type ${service}`);
    const { status, body } = await send(method, `${url}${path}`, { ...sent, token });
    if ((status < 200 || status > 299) && !tolerate.includes(status))
      throw new Error(`${service} ${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
}

function scopeOf(domain: string, scope: Account['scope']) {
  if (scope === 'domain') return { domain: { name: domain } };
  if ('projectId' in scope) return { project: { id: scope.projectId } };
  return { project: { name: scope.project, domain: { name: domain } } };
}
