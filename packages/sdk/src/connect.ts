import type { paths as ComputePaths } from './generated/compute.ts';
import type { paths as IdentityPaths } from './generated/identity.ts';
import type { paths as RegionPaths } from './generated/region.ts';
import { platform as here, type Platform } from './platform.ts';
import { service, type Service } from './service.ts';
import { transport, type TokenSource } from './transport.ts';

export interface Endpoints {
  readonly identity: string;
  readonly region: string;
  readonly compute: string;
}

export interface ConnectOptions {
  /** Where the services are: one address under which there are all of them, or one for each. */
  readonly endpoints: string | Endpoints;
  readonly token?: TokenSource;
  /** How often a request that was not answered, or was put off, is sent again where that is safe; 3 unless given. */
  readonly retries?: number;
  /** Ends every request, and what waits to be sent again, when it aborts. */
  readonly signal?: AbortSignal;
  readonly platform?: Partial<Platform>;
}

export interface Unikorn {
  readonly identity: Service<IdentityPaths>;
  readonly region: Service<RegionPaths>;
  readonly compute: Service<ComputePaths>;
}

/**
 * The platform as this caller sees it.
 *
 * @example
 * const { compute } = connect({ endpoints: 'http://127.0.0.1:8080', token });
 * const instances = await dataOf(compute.GET('/api/v2/instances'));
 */
export function connect({ endpoints, token, retries = 3, signal, platform: given }: ConnectOptions): Unikorn {
  const platform = { ...here, ...given };
  const send = transport({ token, retries, signal, platform });
  const at = typeof endpoints === 'string' ? under(endpoints) : endpoints;
  return {
    identity: service<IdentityPaths>(at.identity, send, platform, signal),
    region: service<RegionPaths>(at.region, send, platform, signal),
    compute: service<ComputePaths>(at.compute, send, platform, signal),
  };
}

function under(url: string): Endpoints {
  const base = url.replace(/\/+$/, '');
  return { identity: `${base}/identity`, region: `${base}/region`, compute: `${base}/compute` };
}
