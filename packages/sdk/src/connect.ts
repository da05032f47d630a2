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
  /** The addresses of the services: one address for all of them, or one address per service. */
  readonly endpoints: string | Endpoints;
  readonly token?: TokenSource;
  /**
   * The number of retries of a request without a response, or with a temporary refusal, if a retry is safe; 3 by
   * default.
   */
  readonly retries?: number;
  /** Aborts every request and every pending retry. */
  readonly signal?: AbortSignal;
  readonly platform?: Partial<Platform>;
}

export interface Unikorn {
  readonly identity: Service<IdentityPaths>;
  readonly region: Service<RegionPaths>;
  readonly compute: Service<ComputePaths>;
}

/**
 * A client of all services.
 *
 * @example
 * const { compute } = connect({ endpoints: 'http://127.0.0.1:8080', token });
 * const instances = await dataOf(compute.GET('/api/v2/instances'));
 */
export function connect({ endpoints, token, retries = 3, signal, platform: given }: ConnectOptions): Unikorn {
  const platform = { ...here, ...given };
  const send = transport({ token, retries, signal, platform });
  const at = typeof endpoints === 'string' ? under(endpoints) : endpoints;
  const parts = { send, platform, ending: signal, token };
  return {
    identity: service<IdentityPaths>({ baseUrl: at.identity, ...parts }),
    region: service<RegionPaths>({ baseUrl: at.region, ...parts }),
    compute: service<ComputePaths>({ baseUrl: at.compute, ...parts }),
  };
}

function under(url: string): Endpoints {
  const base = url.replace(/\/+$/, '');
  return { identity: `${base}/identity`, region: `${base}/region`, compute: `${base}/compute` };
}
