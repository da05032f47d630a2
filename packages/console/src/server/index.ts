import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import { distFolder } from '../build/source-hash.ts';
import { assetOf } from './assets.ts';
import { pageHeaders } from './headers.ts';
import { indexPage, preparingPage } from './index-page.ts';
import type { Preparation } from './preparation.ts';

export { Preparation, type Progress } from './preparation.ts';

/** The path of the console on the server. */
export const consolePath = '/console/';

/** The address to which a login returns. */
export const signedInPath = '/console/signed-in';

/** The address to which a logout returns. */
export const signedOutPath = '/console/signed-out';

export interface ConsoleOptions {
  readonly publicUrl: string;
  readonly preparation: Pick<Preparation, 'progress'>;
  /** A new random value for each response. */
  readonly nonce: () => string;
  /** The built pages. */
  readonly folder?: string;
}

/** Serves the console below `/console/`. Files that do not exist are 404; every other path is a page. */
export function addConsole(
  app: FastifyInstance,
  { publicUrl, preparation, nonce, folder = distFolder }: ConsoleOptions,
): void {
  app.get('/console', (_request, reply) => reply.header('cache-control', 'no-cache').redirect(consolePath));
  app.get<{ Params: { '*': string } }>('/console/*', async (request, reply) => {
    const name = request.params['*'];
    const value = nonce();
    void reply.headers(pageHeaders(value));
    if (name.startsWith('assets/') || name === 'icon.svg') {
      const asset = await assetOf(folder, name, request.headers['accept-encoding'] ?? '');
      if (!asset) {
        reply.callNotFound();
        return reply;
      }
      return reply.headers(asset.headers).send(asset.body);
    }
    void reply.headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    const { progress } = preparation;
    if (progress.state !== 'ready') return reply.send(preparingPage(stepOf(progress)));
    const template = await readFile(join(folder, 'index.html'), 'utf8');
    return reply.send(indexPage(template, { nonce: value, publicUrl }));
  });
}

function stepOf(progress: Exclude<Preparation['progress'], { readonly state: 'ready' }>) {
  return progress.state === 'failed' ? { failure: progress.failure } : { step: progress.step };
}
