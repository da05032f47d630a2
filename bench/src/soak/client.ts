import { Agent, request } from 'node:http';

export interface Answer {
  /** 0 if there was no response: the connection broke, or the time ran out. */
  readonly status: number;
  readonly body: string;
  readonly took_ms: number;
  readonly retryAfter_s: number;
}

/** Longer than any real client waits. */
const patience_ms = 30_000;

/** A client that keeps its connections, and never throws: failures are returned as results. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #base: string;
  readonly #token: string | undefined;

  constructor(base: string, token?: string) {
    this.#base = base;
    this.#token = token;
  }

  ask(method: string, path: string, body?: object): Promise<Answer> {
    const begun = performance.now();
    const payload = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve) => {
      const end = (status: number, text: string, retryAfter_s = 0) => {
        resolve({ status, body: text, took_ms: performance.now() - begun, retryAfter_s });
      };
      const headers = {
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
      };
      const sent = request(
        `${this.#base}${path}`,
        { agent: this.#agent, method, headers, timeout: patience_ms },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', () => {
            end(0, 'the connection broke');
          });
          answer.on('end', () => {
            end(answer.statusCode ?? 0, Buffer.concat(chunks).toString(), Number(answer.headers['retry-after'] ?? 0));
          });
        },
      );
      sent.on('timeout', () => sent.destroy(new Error('no response in time')));
      sent.on('error', (error) => {
        end(0, error.message);
      });
      sent.end(payload);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Sends a request that must succeed, and retries when the server asks for it. */
export async function granted<
  Made = { readonly metadata: { readonly id: string }; readonly status?: { readonly accessToken?: string } },
>(client: Client, method: string, path: string, body?: object): Promise<Made> {
  for (;;) {
    const answer = await client.ask(method, path, body);
    if (answer.status === 429 || answer.status === 503) await pause(Math.max(200, answer.retryAfter_s * 1000));
    else if (answer.status >= 200 && answer.status < 300)
      return (answer.body === '' ? undefined : JSON.parse(answer.body)) as Made;
    else throw new Error(`${method} ${path} was answered with ${answer.status} ${answer.body.slice(0, 500)}`);
  }
}
