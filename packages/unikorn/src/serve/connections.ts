import type { FastifyInstance } from 'fastify';

import { httpChannel, type HttpChannel } from '@unikorn/core/calls';
import { defined } from '@unikorn/core/defined';
import { listenForServices } from '@unikorn/core/http';
import type { Telemetry } from '@unikorn/core/telemetry';
import { CertificateFiles } from '@unikorn/core/tls';
import type { World } from '@unikorn/core/world';

import type { Configuration } from '../configuration/schema.ts';
import { chosenParts, remoteServices } from '../parts/choice.ts';
import type { Remote } from './access.ts';
import type { Closing } from './control-plane.ts';

export interface Connections {
  /** The services in other processes. */
  readonly remote: Remote;
  /** Accepts calls of other processes, if the configuration says so. */
  listen(server: FastifyInstance): Promise<readonly Closing[]>;
  close(): Promise<void>;
}

const none: Connections = { remote: {}, listen: () => Promise.resolve([]), close: () => Promise.resolve() };

/** The connections from this process to other processes of the platform, and from them, over mutual TLS. */
export async function connections(
  configuration: Pick<Configuration, 'services' | 'server'>,
  context: { readonly world: World; readonly telemetry: Telemetry },
  stop: AbortSignal,
): Promise<Connections> {
  const { services, server } = configuration;
  if (services.certificates === undefined) return none;
  const certificates = await CertificateFiles.open(services.certificates, context);
  void certificates.watch(stop);
  const { world } = context;
  const needed = remoteServices(chosenParts(configuration));
  const channelTo = (service: 'identity' | 'region', baseUrl: string | undefined): HttpChannel | undefined =>
    needed.includes(service) && baseUrl !== undefined
      ? httpChannel({ baseUrl, world, tls: () => certificates.current })
      : undefined;
  const remote = defined({
    identity: channelTo('identity', services.identityUrl),
    region: channelTo('region', services.regionUrl),
  });
  return {
    remote,
    listen: async (app) =>
      services.port === undefined
        ? []
        : [await listenForServices(app, { host: server.host, port: services.port, certificates, world })],
    close: async () => {
      await Promise.all([remote.identity?.close(), remote.region?.close()]);
    },
  };
}
