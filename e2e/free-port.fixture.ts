import { createServer } from 'node:net';

import { systemWorld } from '@unikorn/core/world';

/** A free port. The address of a server is part of its tokens, so a test must know it before the server listens. */
export function freePort(host: string): Promise<number> {
  return portOf(host, 0);
}

/**
 * A free port for a server that is stopped and started again. Linux gives ports from 32768 to outgoing connections, so
 * another process could take such a port meanwhile.
 */
export async function lastingPort(host: string): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await portOf(host, 20_000 + Math.floor(systemWorld.random() * 12_000));
    } catch (error) {
      if (attempt === 100) throw error;
    }
  }
}

function portOf(host: string, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(wanted, host, () => {
      const address = probe.address();
      probe.close(() => {
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
  });
}
