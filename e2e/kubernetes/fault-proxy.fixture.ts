import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request as send } from 'node:https';

import {
  certificateData,
  keyData,
  kubeconfigOf,
} from '../../packages/region/src/providers/kubernetes/cluster.fixture.ts';
import type { Cluster } from './cluster.fixture.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `cut: 'before'` ends the connection without asking the API server, `after` ends it in place of its answer. */
export type Fault = { readonly status: number; readonly retryAfter_s?: number } | { readonly cut: 'before' | 'after' };

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>;

/** A proxy in front of an API server that answers wrongly, or not at all, when a test says so. */
export async function startFaultProxy(cluster: Cluster) {
  const faults = new Map<string, Fault[]>();
  const counts = new Map<string, number>();
  const streams = new Set<ServerResponse>();
  const { target } = cluster;

  const server = createServer(
    { cert: pem(certificateData), key: pem(keyData) },
    (asked: IncomingMessage, answer: ServerResponse) => {
      const method = asked.method ?? 'GET';
      counts.set(method, (counts.get(method) ?? 0) + 1);
      const fault = faults.get(method)?.shift();
      if (fault && 'status' in fault) {
        asked.resume();
        const retry = fault.retryAfter_s === undefined ? {} : { 'retry-after': String(fault.retryAfter_s) };
        answer.writeHead(fault.status, { 'content-type': 'application/json', ...retry }).end('{}');
        return;
      }
      if (fault?.cut === 'before') {
        asked.socket.destroy();
        return;
      }
      // The proxy has its own address and credentials.
      const headers = Object.fromEntries(
        Object.entries(asked.headers).filter(([name]) => name !== 'host' && name !== 'authorization'),
      );
      const forwarded = send(
        new URL(asked.url ?? '/', target.url),
        { method, headers, ca: target.authority, cert: target.certificate, key: target.key },
        (given) => {
          if (fault) {
            given.resume();
            given.on('end', () => asked.socket.destroy());
            return;
          }
          if (asked.url?.includes('watch=true')) {
            streams.add(answer);
            answer.on('close', () => {
              streams.delete(answer);
              forwarded.destroy();
            });
          }
          answer.writeHead(given.statusCode ?? 502, given.headers);
          answer.flushHeaders();
          given.on('error', () => asked.socket.destroy());
          given.pipe(answer);
        },
      );
      forwarded.on('error', () => asked.socket.destroy());
      asked.pipe(forwarded);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    administrator: kubeconfigOf(
      { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': certificateData },
      { token: 'through-the-proxy' },
    ),
    /** The faults of the next requests with this method. */
    next: (method: Method, ...given: Fault[]) => {
      counts.set(method, 0);
      faults.set(method, given);
    },
    /** Requests with this method since the last call of `next`. */
    count: (method: Method) => counts.get(method) ?? 0,
    get openStreams() {
      return streams.size;
    },
    cutStreams: () => {
      for (const stream of streams) stream.socket?.destroy();
    },
    reset: () => {
      faults.clear();
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function pem(base64: string): string {
  return Buffer.from(base64, 'base64').toString();
}
