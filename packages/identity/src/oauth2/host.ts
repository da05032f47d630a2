import type { IncomingMessage } from 'node:http';

import { errors, Provider, type Interaction, type InteractionResults, type KoaContextWithOIDC } from 'oidc-provider';

import type { ClientCertificate } from '@unikorn/core/access';
import { toError } from '@unikorn/core/errors';
import type { RawShape } from '@unikorn/core/http';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { parseAccountId } from './account.ts';
import type { BrowserState } from './browser-state.ts';
import { openIdConfiguration, type ProviderContext } from './configuration.ts';
import { digestOf, sameDigest } from '../digest.ts';
import { discoveryInContract } from './discovery.ts';
import { exchange, exchangeGrant, exchangeParameters, type ExchangeContext } from './exchange.ts';
import { externalRequest, type Rewriting } from './external-request.ts';
import type { ExternalUrl } from './external-url.ts';
import { paths } from './paths.ts';

export interface HostOptions extends Omit<ProviderContext, 'certificateOf'>, ExchangeContext {
  readonly browser: BrowserState;
  readonly external: ExternalUrl;
  readonly telemetry: Telemetry;
}

/**
 * Runs the OpenID library. An instance of the library has fixed keys, so a new one is created when the keys change. All
 * state is in the store.
 */
export class OpenIdHost {
  readonly #options: HostOptions;
  /** Passed beside the requests and not in their headers, which any client could have written. */
  readonly #certificates = new WeakMap<IncomingMessage, ClientCertificate>();
  #running: { readonly kids: string; readonly provider: Provider } | undefined;

  constructor(options: HostOptions) {
    this.#options = options;
  }

  /** Handles the request, which came with this verified certificate. */
  async answer(
    request: FastifyRequest<RawShape>,
    reply: FastifyReply,
    rewriting?: Rewriting,
    certificate?: ClientCertificate,
  ): Promise<void> {
    const provider = await this.#provider();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.hijack();
    const message = externalRequest(request, this.#options.external, rewriting);
    if (certificate) this.#certificates.set(message, certificate);
    const { cookie: received = '' } = request.headers;
    await this.#options.browser.during(
      { received, set: (cookie) => reply.raw.appendHeader('set-cookie', cookie) },
      () => provider.callback()(message, reply.raw),
    );
  }

  /** Handles a request of a login page, with the data in the browser's cookies. */
  during<T>(request: FastifyRequest<RawShape>, reply: FastifyReply, answer: () => Promise<T>): Promise<T> {
    return this.#options.browser.during(
      { received: request.headers.cookie ?? '', set: (cookie) => void reply.header('set-cookie', cookie) },
      answer,
    );
  }

  /** The pending login of this browser; undefined if it expired or was begun in another browser. */
  async interaction(request: FastifyRequest<RawShape>, reply: FastifyReply): Promise<Interaction | undefined> {
    const provider = await this.#provider();
    try {
      const interaction = await provider.interactionDetails(
        externalRequest(request, this.#options.external),
        reply.raw,
      );
      return interaction.uid === request.params['uid'] ? interaction : undefined;
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined;
      throw error;
    }
  }

  /** Ends the login, and returns the next address of the browser. */
  async finish(request: FastifyRequest<RawShape>, reply: FastifyReply, result: InteractionResults): Promise<string> {
    const provider = await this.#provider();
    return provider.interactionResult(externalRequest(request, this.#options.external), reply.raw, result, {
      mergeWithLastSubmission: false,
    });
  }

  async #provider(): Promise<Provider> {
    const keys = await this.#options.keys.current();
    const kids = keys.map(({ kid }) => kid).join();
    if (this.#running?.kids !== kids) this.#running = { kids, provider: this.#create(keys) };
    return this.#running.provider;
  }

  #create(keys: Parameters<typeof openIdConfiguration>[1]): Provider {
    const { external, telemetry } = this.#options;
    const provider = new Provider(
      external.issuer,
      openIdConfiguration({ ...this.#options, certificateOf: (request) => this.#certificates.get(request) }, keys),
    );
    provider.proxy = true;
    provider.Client.prototype.compareClientSecret = function (presented) {
      return sameDigest(digestOf(presented), this.clientSecret ?? '');
    };
    nameThePerson(provider);
    provider.use(discoveryInContract);
    provider.use(codeFormFirst(external.base));
    provider.registerGrantType(
      exchangeGrant,
      async (ctx) => {
        ctx.body = await exchange(this.#options, ctx.oidc.params, this.#certificates.get(ctx.req));
      },
      exchangeParameters,
      ['resource'],
    );
    provider.on('server_error', (_ctx, thrown) => {
      telemetry.log.error({ error: toError(thrown) }, 'a login or token request failed');
    });
    return provider;
  }
}

/**
 * A code can only be entered in a form that was sent to this browser, and a login for a device must end in the browser
 * where it began. Without the cookies, the browser is redirected to the form, because the OpenID library would fail
 * here.
 */
function codeFormFirst(base: string): (ctx: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void> {
  return async (ctx, next) => {
    const [, below] = ctx.path.split(`${paths.code_verification}/`);
    const isWithin = ctx.path === paths.code_verification || below !== undefined;
    const isForm = ctx.method === 'GET' && below === undefined;
    const isKnown = ['_session', '_interaction_resume'].some(
      (name) => ctx.cookies.get(name, { signed: true }) !== undefined,
    );
    if (!isWithin || isForm || isKnown) return next();
    ctx.status = 303;
    ctx.set('location', `${base}${paths.code_verification}`);
  };
}

/** The ID token would contain the account id of sessions. Applications expect the user, whoever vouched for them. */
function nameThePerson({ IdToken: { prototype: idToken } }: Provider): void {
  const payloadOf = Reflect.get(idToken, 'payload');
  idToken.payload = async function () {
    const payload = await payloadOf.call(this);
    const { sub } = payload;
    return typeof sub === 'string' ? { ...payload, sub: parseAccountId(sub).subject } : payload;
  };
}
