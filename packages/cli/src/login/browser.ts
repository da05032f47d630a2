import { createServer, type Server, type ServerResponse } from 'node:http';

import { Failure } from '../failure.ts';
import { waits } from '../limits.ts';
import type { Terminal } from '../terminal.ts';
import { finishedPage } from './page.ts';

const path = '/callback';

export interface BrowserLogin<T> {
  /** Opens the login page; the browser returns to this address. */
  readonly begin: (redirectUri: string) => Promise<void>;
  /** Handles the address that the browser returned to. */
  readonly finish: (returned: URL) => Promise<T>;
}

/** Listens on a free port of this machine until the browser returns from the login page, and shows the result there. */
export async function viaBrowser<T>(
  { signal }: Pick<Terminal, 'signal'>,
  { begin, finish }: BrowserLogin<T>,
): Promise<T> {
  const server = createServer();
  try {
    const redirectUri = await listening(server);
    const returning = firstReturn(
      server,
      redirectUri,
      AbortSignal.any([signal, AbortSignal.timeout(waits.browserLogin_ms)]),
    );
    // The promise may reject before it is awaited; this must not end the process.
    returning.catch(() => undefined);
    await begin(redirectUri);
    const { returned, answer } = await returning;
    const outcome = await finish(returned).catch(async (error: unknown) => {
      await sendPage(answer, finishedPage('failed'));
      throw error;
    });
    await sendPage(answer, finishedPage('done'));
    return outcome;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function listening(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}${path}`);
    });
  });
}

interface Return {
  readonly returned: URL;
  readonly answer: ServerResponse;
}

function firstReturn(server: Server, redirectUri: string, signal: AbortSignal): Promise<Return> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => {
      const reason: unknown = signal.reason;
      reject(
        reason instanceof Error && reason.name !== 'TimeoutError'
          ? reason
          : new Failure(
              'timedOut',
              'the login was not completed within five minutes',
              'try again, or log in on another device: unikorn login --device',
            ),
      );
    });
    server.on('request', (request, answer) => {
      const returned = new URL(request.url ?? '/', redirectUri);
      if (returned.pathname === path) resolve({ returned, answer });
      else answer.writeHead(404).end();
    });
  });
}

/** Resolves after the page is sent, because the process may end directly after. */
function sendPage(answer: ServerResponse, { body, headers }: ReturnType<typeof finishedPage>): Promise<void> {
  return new Promise((resolve) => {
    answer.on('close', resolve);
    answer.writeHead(200, { ...headers, connection: 'close' }).end(body);
  });
}
