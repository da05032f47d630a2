import { execFile } from 'node:child_process';
import { connect, createServer } from 'node:tls';
import { promisify } from 'node:util';

import { testAuthority } from '@unikorn/core/testing/certificates';

import type { Cluster } from './cluster.fixture.ts';

const run = promisify(execFile);

async function ip(...args: readonly string[]): Promise<string> {
  return (await run('ip', args)).stdout;
}

export interface PodAddress {
  /** The network namespace of the pod. */
  readonly network: string;
  readonly address: string;
}

export type PodNetwork = Awaited<ReturnType<typeof startPodNetwork>>;

/**
 * A network of imitated pods: a bridge of this machine, and a network namespace with an address for each pod. So all
 * pods can listen on the same port, as in a cluster.
 */
export async function startPodNetwork() {
  const name = `uk${process.pid}`;
  const subnet = await freeSubnet();
  const host = `${subnet}.1`;
  const networks: string[] = [];
  const veths: string[] = [];
  await ip('link', 'add', name, 'type', 'bridge');
  await ip('address', 'add', `${host}/24`, 'dev', name);
  await ip('link', 'set', name, 'up');
  return {
    /** The address of this machine for the pods. */
    host,
    async join(): Promise<PodAddress> {
      const number = networks.length + 10;
      const [network, veth, address] = [`${name}-${number}`, `${name}v${number}`, `${subnet}.${number}`];
      await ip('netns', 'add', network);
      networks.push(network);
      await ip('link', 'add', veth, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', network);
      veths.push(veth);
      await ip('link', 'set', veth, 'master', name, 'up');
      await ip('-n', network, 'link', 'set', 'lo', 'up');
      await ip('-n', network, 'address', 'add', `${address}/24`, 'dev', 'eth0');
      await ip('-n', network, 'link', 'set', 'eth0', 'up');
      return { network, address };
    },
    async stop() {
      for (const veth of veths) await ip('link', 'delete', veth).catch(() => undefined);
      for (const network of networks) await ip('netns', 'delete', network).catch(() => undefined);
      await ip('link', 'delete', name).catch(() => undefined);
    },
  };
}

async function freeSubnet(): Promise<string> {
  const used = await ip('-4', 'address', 'show');
  for (let third = 0; third < 256; third++) if (!used.includes(`10.213.${third}.`)) return `10.213.${third}`;
  throw new Error('there is no free address for the network of the pods');
}

/**
 * The API server at an address of the pods' network. The real one listens on 127.0.0.1 only, and its certificate is for
 * that address.
 */
export async function exposeApiServer({ target }: Pick<Cluster, 'target'>, host: string) {
  const authority = testAuthority('cluster');
  const { certificate: cert, key } = authority.issue('kubernetes', [host]);
  const { hostname, port } = new URL(target.url);
  const open = new Set<{ destroy: () => unknown }>();
  const server = createServer({ cert, key }, (client) => {
    const upstream = connect({ host: hostname, port: Number(port), ca: target.authority });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has a port');
  return {
    host,
    port: address.port,
    authority: authority.certificate,
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type ApiServerEndpoint = Awaited<ReturnType<typeof exposeApiServer>>;
