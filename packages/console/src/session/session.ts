import type { Refused } from '@unikorn/sdk';

import { waits } from '../limits.ts';
import { platform } from '../platform.ts';
import { refusalOf, type Attempt, type Provider, type Tokens } from './provider.ts';

/**
 * `in`: there is a valid token. `expired`: the user must log in again, over the untouched page. `out`: the user logged
 * out, here or in another tab.
 */
export type SessionState = { readonly state: 'in' | 'expired'; readonly subject: string } | { readonly state: 'out' };

/** Messages between the tabs of a browser. */
type Message = 'signed-in' | 'signed-out';

const channelName = 'unikorn-session';
const pendingKey = 'unikorn.login';
/** A login in a popup is recognised by its state, because the popup is a page of its own. */
export const popupPrefix = 'popup.';

/**
 * The login of this tab. The access token is only in memory. It is renewed with the session cookie of the login, which
 * no script can read.
 */
export class Session {
  readonly #provider: Provider;
  readonly #channel = new BroadcastChannel(channelName);
  readonly #listeners = new Set<() => void>();
  #tokens: Tokens | undefined;
  #state: SessionState = { state: 'out' };
  #renewing: Promise<void> | undefined;
  #cancelRenewal = () => {};
  #waiting: (() => void)[] = [];

  constructor(provider: Provider) {
    this.#provider = provider;
    this.#channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (data === 'signed-out') this.#leave();
      if (data === 'signed-in' && this.#state.state === 'expired') void this.renew();
    });
    // Timers of a sleeping machine are late.
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible' && this.#isDue()) void this.renew();
    });
  }

  get state(): SessionState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** A valid token. While the user must log in again, the request waits, so that no input is lost. */
  readonly token = async (refused?: Refused): Promise<string> => {
    if (refused?.refused === this.#tokens?.accessToken || this.#tokens === undefined) await this.renew();
    while (this.#tokens === undefined || this.#state.state !== 'in')
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.#tokens.accessToken;
  };

  /** Logs in with the session of the browser, without a page. Returns whether the user is logged in. */
  async begin(): Promise<boolean> {
    try {
      this.#accept(await this.#silently());
      return true;
    } catch (error) {
      if (refusalOf(error) !== undefined) return false;
      throw error;
    }
  }

  /** Renews the token; at most once at a time. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** Leaves the page for the login, which returns to the path. */
  async goToLogin(returnTo: string): Promise<void> {
    const attempt = this.#provider.attempt();
    sessionStorage.setItem(pendingKey, JSON.stringify({ ...attempt, returnTo }));
    location.assign(await this.#provider.authorizationUrl(attempt));
  }

  /** Finishes a login that left the page. Returns the path to go back to. */
  async complete(address: URL): Promise<string> {
    const { returnTo, ...attempt } = pendingLogin();
    this.#accept(await this.#provider.redeem(address, attempt));
    sessionStorage.removeItem(pendingKey);
    return returnTo;
  }

  /** Logs in again in a window of its own, over the untouched page. */
  async openLogin(): Promise<boolean> {
    const popup = window.open('about:blank', 'unikorn-login', 'popup,width=480,height=640');
    if (!popup) return false;
    popup.location.href = await this.#provider.authorizationUrl(this.#provider.attempt(popupPrefix));
    return true;
  }

  /** Ends the session at the platform, and with it the tokens of all tabs. */
  logOut(): void {
    location.assign(this.#provider.logoutUrl(this.#tokens?.idToken ?? ''));
  }

  async #renewOnce(): Promise<void> {
    try {
      const tokens = await this.#silently();
      // Another user logged in: what the page shows belongs to the previous one.
      if (this.#state.state !== 'out' && tokens.subject !== this.#state.subject) location.reload();
      else this.#accept(tokens);
    } catch (error) {
      if (refusalOf(error) === undefined)
        this.#cancelRenewal = platform.after(waits.renewalRetry_ms, () => void this.renew());
      else if (this.#state.state === 'in') this.#become({ state: 'expired', subject: this.#state.subject });
    }
  }

  /** The provider redirects to the callback, and the address of the response contains the code. */
  async #silently(): Promise<Tokens> {
    const attempt = this.#provider.attempt();
    const response = await platform.fetch(await this.#provider.authorizationUrl(attempt, 'none'), {
      credentials: 'same-origin',
    });
    await response.body?.cancel();
    return this.#provider.redeem(new URL(response.url), attempt);
  }

  #accept(tokens: Tokens): void {
    this.#tokens = tokens;
    this.#cancelRenewal();
    this.#cancelRenewal = platform.after(Math.max(tokens.expiresAt - platform.now() - waits.renewal_ms, 1_000), () => {
      void this.renew();
    });
    this.#become({ state: 'in', subject: tokens.subject });
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #isDue(): boolean {
    return this.#tokens !== undefined && this.#tokens.expiresAt - platform.now() < waits.renewal_ms;
  }

  #leave(): void {
    this.#tokens = undefined;
    this.#cancelRenewal();
    this.#become({ state: 'out' });
  }

  #become(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** Tells the other tabs of the browser. */
export function tellTabs(message: Message): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(message);
  channel.close();
}

function pendingLogin(): Attempt & { readonly returnTo: string } {
  const kept: unknown = JSON.parse(sessionStorage.getItem(pendingKey) ?? 'null');
  if (
    typeof kept === 'object' &&
    kept !== null &&
    'verifier' in kept &&
    typeof kept.verifier === 'string' &&
    'state' in kept &&
    typeof kept.state === 'string' &&
    'nonce' in kept &&
    typeof kept.nonce === 'string' &&
    'returnTo' in kept &&
    typeof kept.returnTo === 'string'
  )
    return { verifier: kept.verifier, state: kept.state, nonce: kept.nonce, returnTo: kept.returnTo };
  throw new Error('this tab did not begin a login');
}
