import { dialled } from '@unikorn/core/lines';
import type { World } from '@unikorn/core/world';

import { isProviderFailure } from '../../../provider/index.ts';
import type { CloudAccess } from './access.ts';
import { failed } from './failures.ts';
import { limits } from './limits.ts';
import type { Session } from './session.ts';

/** Opens WebSockets to the proxies of a cloud, with the authority that its other services have. */
export function dialler({ tls: { verify, authority } }: Pick<CloudAccess, 'tls'>, world: World): Session['dial'] {
  return async (url, doing, signal) => {
    const { rootCertificates } = await import('node:tls');
    if (!/^wss?:\/\//.test(url))
      throw failed('invalid', { doing }, new Error('the cloud gave an address that is not a WebSocket'));
    try {
      return await dialled(
        {
          url,
          // The proxy of Nova knows this sub-protocol, and older ones send text without it.
          protocols: ['binary'],
          world,
          deadline_ms: limits.dial_ms,
          speaks: 'bytes',
          tls: {
            rejectUnauthorized: verify,
            ...(authority === undefined ? {} : { ca: [...rootCertificates, authority] }),
          },
          refusalOf: ({ status }) => failed('unavailable', { doing }, new Error(`the proxy answered ${status}`)),
        },
        signal,
      );
    } catch (error) {
      throw isProviderFailure(error) ? error : failed('unavailable', { doing }, error);
    }
  };
}
