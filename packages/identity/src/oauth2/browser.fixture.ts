import { defined } from '@unikorn/core/defined';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

export interface Visit {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** The address of a redirect, if the response is one. */
  readonly location: string | undefined;
}

/** Sends a request to the server of the pages, with a relative address. */
export interface PageRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string;
}

export interface PageAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The part of a browser that a login needs: cookies by path, forms, and redirects that the test follows. */
export class Browser {
  readonly cookies: Cookie[] = [];
  readonly setCookies: string[] = [];
  readonly #origin: string;
  readonly #send: (request: PageRequest) => Promise<PageAnswer>;

  constructor(origin: string, send: (request: PageRequest) => Promise<PageAnswer>) {
    this.#origin = origin;
    this.#send = send;
  }

  get(url: string): Promise<Visit> {
    return this.#request('GET', url);
  }

  submit(url: string, fields: Readonly<Record<string, string>>): Promise<Visit> {
    return this.#request('POST', url, new URLSearchParams(fields).toString());
  }

  /** Submits the form of a page unchanged, as the script of some pages does. */
  submitPage({ body }: Visit, fields: Readonly<Record<string, string>> = {}): Promise<Visit> {
    const action = /<form [^>]*action="([^"]+)"/.exec(body)?.[1] ?? '';
    const hidden = [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
    return this.submit(action, { ...Object.fromEntries(hidden), ...fields });
  }

  /** Follows redirects until there is none, or until one leaves the server. */
  async follow(visit: Visit): Promise<Visit> {
    let current = visit;
    while (current.location !== undefined && new URL(current.location, this.#origin).origin === this.#origin)
      current = await this.get(current.location);
    return current;
  }

  async #request(method: 'GET' | 'POST', url: string, form?: string): Promise<Visit> {
    const { pathname, search } = new URL(url, this.#origin);
    const cookie = this.cookies
      .filter(({ path }) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const response = await this.#send({
      method,
      url: pathname + search,
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        accept: 'text/html',
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...defined({ payload: form }),
    });
    this.#keep(response.headers['set-cookie']);
    const { location } = response.headers;
    return {
      status: response.statusCode,
      headers: response.headers,
      body: response.body,
      location: typeof location === 'string' ? location : undefined,
    };
  }

  #keep(header: unknown): void {
    for (const text of [header].flat().filter((one) => typeof one === 'string')) {
      this.setCookies.push(text);
      const [pair = '', ...attributes] = text.split(/; */);
      const [name = '', value = ''] = pair.split(/=(.*)/);
      const path = attributes.find((attribute) => attribute.toLowerCase().startsWith('path='))?.slice(5) ?? '/';
      const others = this.cookies.filter((cookie) => cookie.name !== name || cookie.path !== path);
      this.cookies.splice(0, this.cookies.length, ...others, ...(value === '' ? [] : [{ name, value, path }]));
    }
  }
}
