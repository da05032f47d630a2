import { errors, type Adapter, type AdapterFactory, type AdapterPayload, type ClientMetadata } from 'oidc-provider';

import type { Artifacts } from './artifacts.ts';
import type { BrowserState } from './browser-state.ts';
import { lifetimes } from './lifetimes.ts';

export interface AdapterOptions {
  readonly artifacts: Artifacts;
  readonly browser: BrowserState;
  readonly findClient: (id: string) => Promise<ClientMetadata | undefined>;
}

/** The storage of the OpenID library. Data of users who have not logged in yet is kept in their browser. */
export function adapterFactory({ artifacts, browser, findClient }: AdapterOptions): AdapterFactory {
  return (model) => {
    if (model === 'Client') return clientAdapter(findClient);
    const stored = artifactAdapter(model, artifacts);
    return model === 'Interaction' || model === 'Session' ? anonymousAdapter(model, stored, browser) : stored;
  };
}

function artifactAdapter(model: string, artifacts: Artifacts): Adapter {
  return {
    upsert: (id, payload, expiresIn) => artifacts.save(model, id, { ...payload }, expiresIn ?? lifetimes.Session),
    find: (id) => artifacts.find(model, id),
    findByUid: (uid) => artifacts.findSession(uid),
    findByUserCode: (userCode) => artifacts.findByUserCode(userCode),
    consume: async (id) => {
      if (!(await artifacts.consume(model, id))) throw new errors.InvalidGrant('already used');
    },
    destroy: (id) => artifacts.destroy(model, id),
    revokeByGrantId: (grantId) => artifacts.revoke(grantId),
  };
}

/** A session is stored after a login, and a login when it is finished. From then on each can be used once. */
function anonymousAdapter(model: 'Interaction' | 'Session', stored: Adapter, browser: BrowserState): Adapter {
  return {
    ...stored,
    async upsert(id, payload, expiresIn) {
      if (payload.result !== undefined || (model === 'Session' && payload.accountId !== undefined)) {
        browser.forget(model, id);
        await stored.upsert(id, payload, expiresIn);
      } else {
        browser.save(model, id, withoutHint(payload), Math.min(expiresIn ?? Infinity, lifetimes.Interaction));
      }
    },
    find: async (id) => (await stored.find(id)) ?? browser.find(model, id),
    async destroy(id) {
      browser.forget(model, id);
      await stored.destroy(id);
    },
  };
}

/** The hint was checked when the login began, and is not used again. It would fill half of the cookie. */
function withoutHint(payload: AdapterPayload): AdapterPayload {
  const { params, prompt } = payload;
  return {
    ...payload,
    ...(params ? { params: hintless(params) } : {}),
    ...(prompt ? { prompt: { ...prompt, details: hintless(prompt.details) } } : {}),
  };
}

function hintless(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'id_token_hint'));
}

/** Applications are not registered through the protocol, so they are only looked up. */
function clientAdapter(findClient: (id: string) => Promise<ClientMetadata | undefined>): Adapter {
  const find = async (id: string): Promise<AdapterPayload | undefined> => findClient(id);
  return {
    upsert: unsupported,
    find,
    findByUid: unsupported,
    findByUserCode: unsupported,
    consume: unsupported,
    destroy: unsupported,
    revokeByGrantId: unsupported,
  };
}

function unsupported(): Promise<undefined> {
  return Promise.reject(new Error('this feature is not enabled'));
}
