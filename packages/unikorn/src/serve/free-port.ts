import { createServer } from 'node:net';

/**
 * A port nobody listens on. The address of a server is part of the tokens it issues, so it has to be known before it
 * listens.
 */
export function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      probe.close(() => {
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
  });
}
