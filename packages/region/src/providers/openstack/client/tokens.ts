import { hash } from 'node:crypto';

import { defined } from '@unikorn/core/defined';
import type { World } from '@unikorn/core/world';

import { ProviderFailure } from '../../../provider/index.ts';
import type { CloudAccess, Principal } from './access.ts';
import { tokenAnswer, tokenRequest } from './authentication.ts';
import { garbledFailure, type CallLabel } from './failures.ts';
import { jsonOf, type Calls } from './calls.ts';
import { limits } from './limits.ts';
import { endpointsOf, type Endpoints } from './services.ts';

/** The holder of a token, as Keystone describes it. */
export interface Holder {
  readonly userId: string;
  readonly userName: string;
  readonly userDomainId: string;
  readonly projectId?: string;
  readonly domainId?: string;
  readonly roles: readonly string[];
}

export interface Token {
  readonly text: string;
  readonly holder: Holder;
  readonly endpoints: Endpoints;
}

interface Entry {
  readonly token: Promise<Token>;
  /** On our clock. Until the token is there, it does not age. */
  renewAt: number;
}

const asking: CallLabel = {
  service: 'identity',
  method: 'POST',
  path: '/auth/tokens',
  doing: 'logging in to the cloud',
};

/** The tokens of a cloud, one for each principal. Concurrent callers share a request for one. */
export class Tokens {
  readonly #world: World;
  readonly #access: CloudAccess;
  readonly #calls: Calls;
  /** In the order of use, so that the first is the one to forget. */
  readonly #entries = new Map<string, Entry>();

  constructor({
    world,
    access,
    calls,
  }: {
    readonly world: World;
    readonly access: CloudAccess;
    readonly calls: Calls;
  }) {
    this.#world = world;
    this.#access = access;
    this.#calls = calls;
  }

  async get(principal: Principal): Promise<Token> {
    const key = keyOf(principal);
    const known = this.#entries.get(key);
    const entry = known && known.renewAt > this.#world.now() ? known : this.#ask(principal);
    this.#remember(key, entry);
    try {
      return await entry.token;
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    }
  }

  /** Forgets a token that the cloud did not accept. A newer one, which another caller got meanwhile, is kept. */
  async forget(principal: Principal, token: Token): Promise<void> {
    const key = keyOf(principal);
    const known = this.#entries.get(key);
    if (known && (await known.token.catch(() => token)) === token && this.#entries.get(key) === known)
      this.#entries.delete(key);
  }

  #ask(principal: Principal): Entry {
    const issued = this.#issue(principal);
    const entry: Entry = { token: issued.then(({ token }) => token), renewAt: Infinity };
    issued.then(
      ({ renewAt }) => {
        entry.renewAt = renewAt;
      },
      () => undefined,
    );
    return entry;
  }

  async #issue(principal: Principal): Promise<{ readonly token: Token; readonly renewAt: number }> {
    const askedAt = this.#world.now();
    const { identity } = endpointsOf(this.#access, []);
    const reply = await this.#calls.send({
      ...asking,
      url: new URL(`${identity ?? ''}/auth/tokens`),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(tokenRequest(principal)),
      // A second token does no harm.
      repeatable: true,
    });
    if (reply.status !== 201) {
      const failure = this.#calls.failureOf(asking, reply);
      // Keystone answers 404 for an application credential that was deleted. It must not be taken for absence.
      if (reply.status !== 401 && failure.kind !== 'not_found') throw failure;
      throw new ProviderFailure(
        'permission',
        'the cloud does not accept the credentials of this region: the platform operator must renew them',
        { cause: failure.cause },
      );
    }
    const text = reply.headers['x-subject-token'];
    const body = jsonOf(reply);
    if (text === undefined || !tokenAnswer.Check(body))
      throw garbledFailure(asking, reply, 'the answer is not a token of Keystone v3');
    const { expires_at, issued_at, user, project, domain, roles = [], catalog = [] } = body.token;
    // Only the length of its life is taken from the cloud: its clock may differ from ours.
    const life_ms = Date.parse(expires_at) - Date.parse(issued_at);
    if (!(life_ms > 0)) throw garbledFailure(asking, reply, 'the token has no life');
    return {
      renewAt: askedAt + life_ms - Math.min(limits.tokenMargin_ms, life_ms / 4),
      token: {
        text,
        endpoints: endpointsOf(this.#access, catalog),
        holder: {
          userId: user.id,
          userName: user.name,
          userDomainId: user.domain.id,
          ...defined({ projectId: project?.id, domainId: domain?.id }),
          roles: roles.map(({ name }) => name),
        },
      },
    };
  }

  #remember(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > limits.tokens && oldest !== undefined) this.#entries.delete(oldest);
  }
}

const keys = new WeakMap<Principal, string>();

/** A changed password makes another key. Secrets are not kept in it. */
function keyOf(principal: Principal): string {
  const known = keys.get(principal) ?? hash('sha256', JSON.stringify(principal));
  keys.set(principal, known);
  return known;
}
