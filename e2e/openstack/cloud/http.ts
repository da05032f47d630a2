import { request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: unknown;
}

export interface Sent {
  readonly token?: string | undefined;
  readonly body?: unknown;
  /** Sent as it is. */
  readonly data?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One plain request, without any of the provider's own code, so that tests can judge that code by it. */
export function send(method: string, url: string, { token, body, data, headers }: Sent = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        timeout: 120_000,
        headers: {
          ...(token === undefined ? {} : { 'x-auth-token': token }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(data === undefined ? {} : { 'content-type': 'application/octet-stream' }),
          ...headers,
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = answer.headers['content-type']?.includes('json') === true && text !== '';
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: isJson ? JSON.parse(text) : text });
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`${method} ${url} got no answer`)));
    sent.on('error', reject);
    sent.end(data ?? (body === undefined ? undefined : JSON.stringify(body)));
  });
}

export function answers(url: string): Promise<boolean> {
  return send('GET', url).then(
    () => true,
    () => false,
  );
}
