import type { FastifyInstance } from 'fastify';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

export interface Visit {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Where the browser is told to go, if it is. */
  readonly location: string | undefined;
}

/** As much of a browser as a login needs: cookies by path, forms, and redirects that the test follows. */
export class Browser {
  readonly cookies: Cookie[] = [];
  readonly setCookies: string[] = [];
  readonly #server: FastifyInstance;
  readonly #address: string;

  constructor(server: FastifyInstance, address = '192.0.2.1') {
    this.#server = server;
    this.#address = address;
  }

  get(url: string): Promise<Visit> {
    return this.#request('GET', url);
  }

  submit(url: string, fields: Readonly<Record<string, string>>): Promise<Visit> {
    return this.#request('POST', url, new URLSearchParams(fields).toString());
  }

  /** Goes on until nobody redirects, or the way leaves the server. */
  async follow(visit: Visit): Promise<Visit> {
    let current = visit;
    while (current.location !== undefined && isLocal(current.location)) current = await this.get(current.location);
    return current;
  }

  async #request(method: 'GET' | 'POST', url: string, form?: string): Promise<Visit> {
    const { pathname, search } = new URL(url, 'http://127.0.0.1:6080');
    const cookie = this.cookies
      .filter(({ path }) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const response = await this.#server.inject({
      method,
      url: pathname + search,
      remoteAddress: this.#address,
      headers: { ...(cookie === '' ? {} : { cookie }), accept: 'text/html', ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }) },
      ...(form === undefined ? {} : { payload: form }),
    });
    this.#keep(response.headers['set-cookie']);
    const { location } = response.headers;
    return { status: response.statusCode, headers: response.headers, body: response.body, location: typeof location === 'string' ? location : undefined };
  }

  #keep(header: string | string[] | undefined): void {
    for (const text of [header ?? []].flat()) {
      this.setCookies.push(text);
      const [pair = '', ...attributes] = text.split(/; */);
      const [name = '', value = ''] = pair.split(/=(.*)/);
      const path = attributes.find((attribute) => attribute.toLowerCase().startsWith('path='))?.slice(5) ?? '/';
      const others = this.cookies.filter((cookie) => cookie.name !== name || cookie.path !== path);
      this.cookies.splice(0, this.cookies.length, ...others, ...(value === '' ? [] : [{ name, value, path }]));
    }
  }
}

function isLocal(location: string): boolean {
  return location.startsWith('/') || location.startsWith('http://127.0.0.1:6080/');
}
