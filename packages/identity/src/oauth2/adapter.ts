import { errors, type Adapter, type AdapterFactory, type AdapterPayload, type ClientMetadata } from 'oidc-provider';

import type { Artifacts } from './artifacts.ts';
import { lifetimes } from './lifetimes.ts';

/** Where the OpenID implementation keeps its state. */
export function adapterFactory(artifacts: Artifacts, findClient: (id: string) => Promise<ClientMetadata | undefined>): AdapterFactory {
  return (model) => (model === 'Client' ? clientAdapter(findClient) : artifactAdapter(model, artifacts));
}

function artifactAdapter(model: string, artifacts: Artifacts): Adapter {
  return {
    upsert: (id, payload, expiresIn) => artifacts.save(model, id, { ...payload }, expiresIn ?? lifetimes.Session),
    find: (id) => artifacts.find(model, id),
    findByUid: (uid) => artifacts.findSession(uid),
    findByUserCode: unsupported,
    consume: async (id) => {
      if (!(await artifacts.consume(model, id))) throw new errors.InvalidGrant('already used');
    },
    destroy: (id) => artifacts.destroy(model, id),
    revokeByGrantId: (grantId) => artifacts.revoke(grantId),
  };
}

/** Applications are not registered over the protocol, so they are only ever looked up. */
function clientAdapter(findClient: (id: string) => Promise<ClientMetadata | undefined>): Adapter {
  const find = async (id: string): Promise<AdapterPayload | undefined> => findClient(id);
  return { upsert: unsupported, find, findByUid: unsupported, findByUserCode: unsupported, consume: unsupported, destroy: unsupported, revokeByGrantId: unsupported };
}

function unsupported(): Promise<undefined> {
  return Promise.reject(new Error('the feature that needs this is not enabled'));
}
