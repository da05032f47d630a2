import { createServer } from 'node:https';

import type { FastifyInstance } from 'fastify';

import type { CertificateFiles, Certificates } from '../tls/index.ts';
import type { World } from '../world/index.ts';
import { defaultHttpLimits, type HttpLimits } from './limits.ts';
import { acceptUpgrades, isUpgrade } from './upgrade.ts';

export interface ServiceListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly certificates: CertificateFiles;
  readonly world: World;
  readonly limits?: HttpLimits;
}

export interface ServiceListener {
  readonly port: number;
  /** Call it together with the `close` of the server, which ends the streams. Running responses are completed. */
  close(): Promise<void>;
}

/**
 * Accepts calls of other services for a server, on a second port with mutual TLS. A connection without a certificate of
 * the authority is refused. The common name of the certificate says which service calls. Changed certificates apply to
 * new connections, and open connections continue.
 *
 * @example const services = await listenForServices(server, { host: '0.0.0.0', port: 8443, certificates, world });
 */
export async function listenForServices(
  app: FastifyInstance,
  { host, port, certificates, world, limits = defaultHttpLimits }: ServiceListenerOptions,
): Promise<ServiceListener> {
  await app.ready();
  const server = createServer(
    {
      ...contextOf(certificates.current),
      requestCert: true,
      rejectUnauthorized: true,
      requestTimeout: limits.receiveTimeout_ms,
      headersTimeout: limits.headersTimeout_ms,
      shouldUpgradeCallback: isUpgrade,
    },
    (request, response) => {
      app.routing(request, response);
    },
  );
  acceptUpgrades(app, server);
  certificates.onChange((changed) => {
    server.setSecureContext(contextOf(changed));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: async () => {
      const cancel = world.after(limits.drain_ms, () => {
        server.closeAllConnections();
      });
      await new Promise((resolve) => server.close(resolve));
      cancel();
    },
  };
}

function contextOf({ certificate, key, authority }: Certificates) {
  return { cert: certificate, key, ca: authority, minVersion: 'TLSv1.3' } as const;
}
