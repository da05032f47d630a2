import type { Interaction } from 'oidc-provider';

import { isProblem } from '@unikorn/core/errors';
import type { RawRoute } from '@unikorn/core/http';
import { modifyStatus, type Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import { timestamp, type World } from '@unikorn/core/world';
import type { FastifyReply } from 'fastify';

import type { UserDirectory } from '../../access/index.ts';
import { normaliseSubject, User } from '../../kinds/index.ts';
import type { OAuth2Provider } from '../../kinds/oauth2.ts';
import { accountIdOf } from '../account.ts';
import type { FindApplication } from '../clients.ts';
import type { ExternalUrl } from '../external-url.ts';
import type { Arrival, Federation } from '../federation/federation.ts';
import { displayName, type Providers } from '../federation/providers.ts';
import type { OpenIdHost } from '../host.ts';
import { loginPath } from '../paths.ts';
import { loginMetrics } from './metrics.ts';
import { answering, formOf, queryOf, redirect, type Answer, type Incoming } from './answer.ts';
import type { Consent } from './consent.ts';
import { continuePage, invitationsPage, loginPage, problemPage } from './page.ts';
import type { Passwords } from './passwords.ts';
import type { LoginThrottle } from './throttle.ts';

export interface LoginOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  readonly external: ExternalUrl;
  readonly host: OpenIdHost;
  readonly findApplication: FindApplication;
  readonly passwords: Passwords;
  readonly providers: Providers;
  readonly federation: Federation;
  readonly users: UserDirectory;
  readonly consent: Consent;
  readonly throttle: LoginThrottle;
}

const expired = 'this login has expired: go back to the application and start again';
/** The prefix of form fields with decisions about memberships. */
const decisionPrefix = 'decision.';
/** The query parameter that requests the platform's own page, even if the application has one. */
const ownPage = 'password';
const wrong = 'the email address or the password is wrong';

/** The pages on which users log in. Each page belongs to one login of one browser, which a cookie proves. */
export class Login {
  readonly #options: LoginOptions;

  constructor(options: LoginOptions) {
    this.#options = options;
  }

  routes(): readonly RawRoute[] {
    const path = `${loginPath}/{uid}` as const;
    return [
      answering('POST', loginPath, (request) => this.#select(request)),
      answering('GET', path, (request, reply) => this.#within(request, reply, (login) => this.#show(login, request))),
      answering('POST', path, (request, reply) =>
        this.#within(request, reply, (login) => this.#submit(login, request, reply)),
      ),
      answering('POST', `${path}/invitations`, (request, reply) =>
        this.#within(request, reply, (login) => this.#decide(login, request, reply)),
      ),
      answering('GET', `${path}/callback`, (request, reply) =>
        this.#within(request, reply, (login) => this.#return(login, request, reply)),
      ),
      answering('GET', '/oidc/callback', (request) => this.#forward(request)),
    ];
  }

  /**
   * The contract's way to choose a provider on another page: the choice is forwarded to the login itself, where the
   * cookie is valid.
   */
  #select(request: Incoming): Answer {
    const form = formOf(request);
    const chosen = new URLSearchParams([...form].filter(([name]) => name === 'email' || name === 'provider'));
    if (chosen.size === 0) chosen.set(ownPage, '1');
    return redirect(`${this.#action(form.get('state') ?? '')}?${chosen.toString()}`, 302);
  }

  /** The state begins with the id of its login. Everything is checked there, where the cookie is valid. */
  #forward(request: Incoming): Answer {
    const query = queryOf(request);
    const [uid = ''] = (query.get('state') ?? '').split('.');
    return redirect(`${this.#action(uid)}/callback?${query.toString()}`, 302);
  }

  #within(request: Incoming, reply: FastifyReply, act: (login: Interaction) => Promise<Answer>): Promise<Answer> {
    return this.#options.host.during(request, reply, () => this.#act(request, reply, act));
  }

  async #act(request: Incoming, reply: FastifyReply, act: (login: Interaction) => Promise<Answer>): Promise<Answer> {
    const login = await this.#options.host.interaction(request, reply);
    if (!login) return { status: 400, ...problemPage(expired) };
    try {
      return await act(login);
    } catch (error) {
      if (!isProblem(error, 'forbidden')) throw error;
      this.#count('provider', 'refused');
      return { status: 403, ...problemPage(error.message, this.#action(login.uid)) };
    }
  }

  async #show(login: Interaction, request: Incoming): Promise<Answer> {
    const { providers, federation } = this.#options;
    const query = queryOf(request);
    const [name, email] = [query.get('provider'), query.get('email')];
    const provider = name === null ? await this.#providerFor(email) : await providers.named(name);
    if (provider) return redirect(await federation.begin(login.uid, provider));
    const elsewhere = query.size === 0 ? await this.#pageOf(login) : undefined;
    if (elsewhere !== undefined) return redirect(elsewhere);
    const hint = login.params['login_hint'];
    return this.#ask(login, 200, email ?? (typeof hint === 'string' ? hint : ''));
  }

  /**
   * The application's own login page, with the id of the login and the address to post the choice to, as in the
   * contract.
   */
  async #pageOf({ uid, params }: Interaction): Promise<string | undefined> {
    const { findApplication, providers, external } = this.#options;
    const { loginUri } = (await findApplication(String(params['client_id']))) ?? {};
    if (loginUri === undefined) return undefined;
    const types = (await providers.global()).flatMap(({ spec }) => spec.type ?? []);
    const page = new URL(loginUri);
    for (const [name, value] of Object.entries({
      state: uid,
      callback: `${external.issuer}${loginPath}`,
      providers: types.join(' '),
    }))
      page.searchParams.set(name, value);
    return page.href;
  }

  async #submit(login: Interaction, request: Incoming, reply: FastifyReply): Promise<Answer> {
    const form = formOf(request);
    const [email, password] = [form.get('email') ?? '', form.get('password') ?? ''];
    const provider = await this.#providerFor(email);
    if (provider)
      return {
        status: 200,
        ...continuePage(await this.#options.federation.begin(login.uid, provider), displayName(provider)),
      };
    const { throttle } = this.#options;
    const wait_ms = await throttle.attempt(normaliseSubject(email), request.ip);
    if (wait_ms > 0) return this.#tooMany(login, email, Math.ceil(wait_ms / 1000));
    const known = await this.#options.passwords.verify(email, password);
    this.#count('password', known ? 'succeeded' : 'refused');
    if (!known) return this.#ask(login, 403, email, wrong);
    await throttle.succeeded(known.user.spec.subject, request.ip);
    return this.#arrive(login, request, reply, known, 'pwd');
  }

  /** Handles the return from an external provider. */
  async #return(login: Interaction, request: Incoming, reply: FastifyReply): Promise<Answer> {
    const arrival = await this.#options.federation.finish(login.uid, queryOf(request));
    this.#count('provider', 'succeeded');
    return this.#arrive(login, request, reply, arrival, 'fed');
  }

  async #providerFor(email: string | null): Promise<OAuth2Provider | undefined> {
    return email === null || !email.includes('@') ? undefined : this.#options.federation.providerFor(email);
  }

  async #tooMany(login: Interaction, email: string, wait_s: number): Promise<Answer> {
    this.#count('password', 'throttled');
    const { headers, ...page } = await this.#ask(
      login,
      429,
      email,
      `too many attempts: try again in ${wait_s} second${wait_s === 1 ? '' : 's'}`,
    );
    return { ...page, headers: { ...headers, 'retry-after': String(wait_s) } };
  }

  /**
   * The user is authenticated. Before the login ends, they are asked about organizations that have added them, unless
   * one of these organizations let them in itself.
   */
  async #arrive(
    login: Interaction,
    request: Incoming,
    reply: FastifyReply,
    arrival: Arrival,
    method: 'pwd' | 'fed',
  ): Promise<Answer> {
    const { consent } = this.#options;
    const {
      user: {
        spec: { subject },
      },
      vouchedBy,
    } = arrival;
    if (vouchedBy !== undefined) await consent.vouch(subject, vouchedBy);
    const invitations = vouchedBy === undefined ? await consent.invitations(subject) : [];
    if (invitations.length === 0) return this.#finish(request, reply, arrival, method);
    const continuation = consent.seal({ uid: login.uid, subject, method });
    return {
      status: 200,
      ...invitationsPage({
        action: `${this.#action(login.uid)}/invitations`,
        continuation,
        invitations,
        redirectUri: this.#redirectUri(login),
      }),
    };
  }

  /** Handles the decision of the user. */
  async #decide(login: Interaction, request: Incoming, reply: FastifyReply): Promise<Answer> {
    const { consent, users } = this.#options;
    const form = formOf(request);
    const continuation = await consent.open(login.uid, form.get('continuation') ?? '');
    const user = continuation && (await users.find(continuation.subject));
    if (user?.spec.state !== 'active') return { status: 400, ...problemPage(expired) };
    for (const [name, decision] of form) {
      if (name.startsWith(decisionPrefix) && (decision === 'accept' || decision === 'decline'))
        await consent.decide(
          user.spec.subject,
          name.slice(decisionPrefix.length),
          decision === 'accept' ? 'accepted' : 'declined',
        );
    }
    return this.#finish(request, reply, { user, vouchedBy: undefined }, continuation?.method ?? 'pwd');
  }

  async #finish(
    request: Incoming,
    reply: FastifyReply,
    { user, vouchedBy }: Arrival,
    method: 'pwd' | 'fed',
  ): Promise<Answer> {
    const { store, world, host, telemetry } = this.#options;
    await modifyStatus(store, User, user.metadata.name, (current) => ({
      metadata: current.metadata,
      status: { ...current.status, lastActive: timestamp(world.now()) },
    }));
    telemetry.log.info({ user: user.metadata.name, method }, 'logged in');
    return redirect(
      await host.finish(request, reply, {
        login: { accountId: accountIdOf({ subject: user.spec.subject, vouchedBy }), amr: [method] },
      }),
    );
  }

  async #ask(login: Interaction, status: number, email: string, problem?: string): Promise<Answer> {
    const providers = (await this.#options.providers.global()).map((provider) => ({
      id: provider.metadata.name,
      name: displayName(provider),
    }));
    const view = { action: this.#action(login.uid), email, providers, redirectUri: this.#redirectUri(login) };
    return { status, ...loginPage(problem === undefined ? view : { ...view, problem }) };
  }

  /** The address at which the application receives the response. */
  #redirectUri({ params }: Interaction): string {
    const redirectUri = params['redirect_uri'];
    return typeof redirectUri === 'string' ? redirectUri : this.#options.external.issuer;
  }

  #action(uid: string): string {
    return `${this.#options.external.base}${loginPath}/${encodeURIComponent(uid)}`;
  }

  #count(method: 'password' | 'provider', outcome: 'succeeded' | 'refused' | 'throttled'): void {
    loginMetrics(this.#options.telemetry.registry).logins.inc({ method, outcome });
  }
}
