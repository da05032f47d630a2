import { spawn, type ChildProcess } from 'node:child_process';
import { request } from 'node:https';
import { createInterface } from 'node:readline';

import { systemWorld } from '@unikorn/core/world';

import { kubeconfigOf } from '../../packages/region/src/providers/kubernetes/cluster.fixture.ts';
import { serverPath } from './build.ts';

/** The data that the server prints when it starts; certificates and keys in PEM. */
interface Access {
  readonly url: string;
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
  /** A token of a known user without any rights. */
  readonly stranger: string;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly warning: string | undefined;
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/**
 * An empty Kubernetes API server, and an administrator of it. Everything is removed when it is stopped. With a folder,
 * it has the state and the address of the previous server in that folder.
 */
export async function startCluster({ folder }: { readonly folder?: string } = {}) {
  const server = spawn(await serverPath(), folder === undefined ? [] : [folder], { stdio: ['pipe', 'pipe', 'pipe'] });
  const log = lastLines(server, 20);
  const ended = new Promise<void>((resolve) =>
    server.on('close', () => {
      resolve();
    }),
  );
  const access = await firstLine(server, log);
  const call = (method: string, path: string, body?: object, type = 'application/json') =>
    callServer(access, { method, path, type, body });
  while ((await call('GET', '/readyz').catch(() => undefined))?.status !== 200) {
    if (server.exitCode !== null) throw new Error(`the server ended: ${log()}`);
    await systemWorld.sleep(50);
  }
  const cluster = { server: access.url, 'certificate-authority-data': base64(access.authority) };
  return {
    call,
    /** The address and the credentials of an administrator, for a proxy. */
    target: access,
    /** The process of the server, for tests that stop or kill it. */
    process: server,
    ended,
    /** Authenticates with a certificate. */
    administrator: kubeconfigOf(cluster, {
      'client-certificate-data': base64(access.certificate),
      'client-key-data': base64(access.key),
    }),
    /** Authenticates with a token. */
    holderOf: (token: string) => kubeconfigOf(cluster, { token }),
    strangersToken: access.stranger,
    /** A kubeconfig without a certificate authority. */
    gullible: kubeconfigOf({ server: access.url }, { token: access.stranger }),
    async stop() {
      server.stdin.end();
      await ended;
    },
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function lastLines(server: ChildProcess, count: number): () => string {
  const lines: string[] = [];
  if (server.stderr)
    createInterface(server.stderr).on('line', (line) => lines.splice(0, Math.max(0, lines.push(line) - count)));
  return () => lines.join('\n');
}

async function firstLine(server: ChildProcess, log: () => string): Promise<Access> {
  if (server.stdout) for await (const line of createInterface(server.stdout)) return JSON.parse(line) as Access;
  throw new Error(`the server ended before it printed its address: ${log()}`);
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: object | undefined;
}

function callServer({ url, authority, certificate, key }: Access, { method, path, type, body }: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(path, url),
      { method, ca: authority, cert: certificate, key, headers: { 'content-type': type } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          // A watch without events is empty, and one with several is no JSON document.
          const isJson = answer.headers['content-type'] === 'application/json' && !path.includes('watch=true');
          resolve({
            status: answer.statusCode ?? 0,
            body: isJson ? JSON.parse(text) : text,
            warning: answer.headers.warning,
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}
