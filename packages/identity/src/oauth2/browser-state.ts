import { AsyncLocalStorage } from 'node:async_hooks';

import { errors } from 'oidc-provider';

import type { World } from '@unikorn/core/world';

import { limits } from '../limits.ts';
import type { ArtifactPayload } from './artifacts.ts';
import { isPayload } from './artifacts.ts';
import type { ExternalUrl } from './external-url.ts';
import { loginPath } from './paths.ts';
import type { Sealer } from './sealing.ts';

/** The models that are kept in browser cookies before a login. */
export type BrowserModel = 'Interaction' | 'Session' | 'Federation';

interface Place {
  readonly cookie: string;
  /** A path below the base of the service. The browser sends the cookie only there. */
  readonly path: (id: string) => string;
}

const places: Readonly<Record<BrowserModel, Place>> = {
  /** A pending login. Its id is in the path of its page. */
  Interaction: { cookie: '_login', path: (id) => `${loginPath}/${id}` },
  /** A session without a user. It protects the forms for logout and device codes. */
  Session: { cookie: '_visit', path: () => '' },
  /** A login at an external provider. The state begins with the id of its login. */
  Federation: { cookie: '_federation', path: (state) => `${loginPath}/${state.split('.')[0] ?? ''}` },
};

/** The cookies of one request and its response. */
export interface CookieJar {
  /** The unchanged `Cookie` header. */
  readonly received: string;
  /** Adds a `Set-Cookie` header to the response. */
  readonly set: (cookie: string) => void;
}

interface Visit extends CookieJar {
  /** The cookies that were written during the request; undefined for a cookie that was cleared. */
  readonly written: Map<string, string | undefined>;
}

interface Kept {
  readonly model: string;
  readonly id: string;
  readonly until: number;
  readonly payload: ArtifactPayload;
}

export interface BrowserStateOptions {
  readonly world: World;
  readonly sealer: Sealer;
  readonly external: ExternalUrl;
}

/**
 * Keeps the data of users who have not logged in, encrypted, in the cookies of their browser. Any client can begin any
 * number of logins, and none of them uses space in the store.
 */
export class BrowserState {
  readonly #options: BrowserStateOptions;
  readonly #visits = new AsyncLocalStorage<Visit>();

  constructor(options: BrowserStateOptions) {
    this.#options = options;
  }

  /** Runs a request; data that is stored during it is sent to its browser. */
  during<T>(jar: CookieJar, answer: () => Promise<T>): Promise<T> {
    return this.#visits.run({ ...jar, written: new Map() }, answer);
  }

  /** Fails with `invalid_request` if it is too large for a cookie. */
  save(model: BrowserModel, id: string, payload: ArtifactPayload, lifetime_s: number): void {
    const { world, sealer } = this.#options;
    const kept: Kept = { model, id, until: world.now() + lifetime_s * 1000, payload };
    const sealed = sealer.seal('browser-state', JSON.stringify(kept), `${model} ${id}`);
    if (sealed.length > limits.cookieBytes)
      throw new errors.InvalidRequest('the parameters of the request are too long');
    this.#write(model, id, sealed, lifetime_s);
  }

  async find(model: BrowserModel, id: string): Promise<ArtifactPayload | undefined> {
    const visit = this.#visits.getStore();
    const { cookie } = places[model];
    const sealed = visit?.written.has(cookie) ? visit.written.get(cookie) : valueOf(visit?.received ?? '', cookie);
    if (sealed === undefined) return undefined;
    const kept = parse(await this.#options.sealer.open('browser-state', sealed));
    return kept?.model === model && kept.id === id && kept.until > this.#options.world.now() ? kept.payload : undefined;
  }

  forget(model: BrowserModel, id: string): void {
    this.#write(model, id, undefined, 0);
  }

  #write(model: BrowserModel, id: string, value: string | undefined, lifetime_s: number): void {
    const { base, scheme } = this.#options.external;
    const { cookie, path } = places[model];
    const visit = this.#visits.getStore();
    visit?.written.set(cookie, value);
    const attributes = [
      `${cookie}=${value ?? ''}`,
      `path=${`${base}${path(id)}` || '/'}`,
      `max-age=${lifetime_s}`,
      'samesite=lax',
      'httponly',
      ...(scheme === 'https' ? ['secure'] : []),
    ];
    visit?.set(attributes.join('; '));
  }
}

/** The value of a cookie. The first one with a name has the most specific path. */
function valueOf(header: string, name: string): string | undefined {
  return header
    .split(/; */)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}

function parse(text: string | undefined): Kept | undefined {
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  return isKept(value) ? value : undefined;
}

function isKept(value: unknown): value is Kept {
  return (
    typeof value === 'object' &&
    value !== null &&
    'model' in value &&
    'id' in value &&
    'until' in value &&
    typeof value.until === 'number' &&
    'payload' in value &&
    isPayload(value.payload)
  );
}
