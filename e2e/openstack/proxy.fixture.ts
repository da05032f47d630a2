import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { systemWorld } from '@unikorn/core/world';

/**
 * Ways in which a call of the cloud goes wrong.
 * - drop: the call is carried out, and the connection ends without an answer
 * - cut: the connection ends before the call is carried out
 * - delay: the answer comes late
 * - 401, 409, 429, 500: the call is refused and not carried out
 * - 503: the call is carried out, and a gateway answers in place of the service
 * - stale: a list shows what it showed before its last change
 * - kill: the call is carried out, and the process that made it is dead from then on
 */
export const faults = ['drop', 'kill', 'cut', 'delay', '401', '409', '429', '500', '503', 'stale'] as const;
export type Fault = (typeof faults)[number];

const delay_ms = 300;

export interface ProxiedCall {
  /** Names exactly this request. A repetition has the same name. */
  readonly key: string;
  /** Names the request without its ids, for example `POST /v2.0/networks`. */
  readonly label: string;
}

/** Decides about each call. */
export interface Plan {
  choose(call: ProxiedCall): Fault | undefined;
  /** Told of each fault that took place. A list that has not changed cannot be stale. */
  happened(call: ProxiedCall, fault: Fault): void;
}

/** The way of one process to the cloud. */
export interface Line {
  /** Keystone, through the proxy. All services of its catalogue are reached through the proxy, too. */
  readonly authUrl: string;
  /** Settles when the process is killed. None of its calls is answered from then on. */
  readonly died: Promise<'died'>;
}

export interface Proxy {
  line(plan: Plan): Line;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

interface OpenLine {
  readonly plan: Plan;
  readonly die: () => void;
  isDead: boolean;
}

/** A proxy between providers and the cloud. The first part of a path is the line, the second one the host. */
export async function openProxy(cloudAuthUrl: string): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true });
  const lines: OpenLine[] = [];
  /** The last two different answers of each list that was read, so that an old one can be shown. */
  const lists = new Map<string, { readonly last: Reply; readonly earlier?: Reply }>();
  const remember = (key: string, reply: Reply) => {
    const known = lists.get(key);
    if (known?.last.body.equals(reply.body)) return known.earlier;
    lists.set(key, { last: reply, ...(known ? { earlier: known.last } : {}) });
    return known?.last;
  };

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const [, lineNumber = '', host = '', path = ''] = /^\/([^/]+)\/([^/]+)(\/.*)$/.exec(incoming.url ?? '') ?? [];
    const line = lines[Number(lineNumber)];
    const body = await bodyOf(incoming);
    // The process is dead: it gets no answer, and the cloud does not hear of the call.
    if (!line || line.isDead) return;
    const method = incoming.method ?? 'GET';
    const call = { key: `${method} ${host}${path} ${body.toString()}`, label: labelOf(method, path) };
    const fault = line.plan.choose(call);
    const forward = () => send(agent, { host, path, method, headers: incoming.headers, body });
    const answer = (reply: Reply) => {
      if (line.isDead) return;
      const here = `http://${incoming.headers.host ?? ''}/${lineNumber}/`;
      const text = path.endsWith('/auth/tokens') ? throughHere(reply.body, here) : reply.body;
      outgoing.writeHead(reply.status, headersOf(reply.headers)).end(text);
    };

    if (fault === undefined || fault === 'stale') {
      const reply = await forward();
      const earlier = method === 'GET' && isList(reply) ? remember(call.key, reply) : undefined;
      const isStale = fault === 'stale' && earlier !== undefined;
      if (isStale) line.plan.happened(call, fault);
      answer(isStale ? earlier : reply);
      return;
    }
    line.plan.happened(call, fault);
    switch (fault) {
      case 'drop':
        await forward();
        outgoing.destroy();
        return;
      case 'kill':
        line.isDead = true;
        await forward();
        line.die();
        return;
      case 'cut':
        outgoing.destroy();
        return;
      case 'delay': {
        const reply = await forward();
        await systemWorld.sleep(delay_ms);
        answer(reply);
        return;
      }
      case '503':
        await forward();
        answer(refusal(503));
        return;
      case '401':
      case '409':
      case '429':
      case '500':
        answer(refusal(Number(fault)));
    }
  }

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    line: (plan) => {
      const { promise, resolve } = Promise.withResolvers<'died'>();
      lines.push({
        plan,
        die: () => {
          resolve('died');
        },
        isDead: false,
      });
      return { authUrl: cloudAuthUrl.replace('://', `://127.0.0.1:${port}/${lines.length - 1}/`), died: promise };
    },
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function send(
  agent: Agent,
  {
    host,
    path,
    method,
    headers,
    body,
  }: {
    readonly host: string;
    readonly path: string;
    readonly method: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: Buffer;
  },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `http://${host}${path}`,
      { agent, method, headers: { ...headersOf(headers), host, 'content-length': body.length } },
      (reply) => {
        bodyOf(reply).then((text) => {
          resolve({ status: reply.statusCode ?? 502, headers: reply.headers, body: text });
        }, reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Headers that are about a whole message, and not about one connection. */
function headersOf(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.includes(name)));
}

/** The answer with a token, whose catalogue leads through the proxy. */
function throughHere(body: Buffer, here: string): string {
  return body.toString().replaceAll(/"url": ?"http:\/\//g, `"url": "${here}`);
}

function refusal(status: number): Reply {
  const body = Buffer.from(JSON.stringify({ error: { code: status, message: `a test answers ${status}` } }));
  const headers = { 'content-type': 'application/json', 'x-openstack-request-id': 'req-fault' };
  return { status, headers: status === 429 ? { ...headers, 'retry-after': '1' } : headers, body };
}

function isList({ status, body }: Reply): boolean {
  return status === 200 && /^\{\s*"\w+":\s*\[/.test(body.toString('utf8', 0, 100));
}

function labelOf(method: string, path: string): string {
  const bare = path
    .replace(/\?.*/, '')
    .replaceAll(/[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/g, '*');
  return `${method} ${bare}`;
}
