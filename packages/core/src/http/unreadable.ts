import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

import { Problem } from '../errors/index.ts';
import { internalLimits } from '../limits.ts';
import { failureOf } from './failure.ts';
import type { ServedPaths } from './served-paths.ts';

/** The error of Node's parser for a request that it rejected. */
interface ParserError {
  readonly code?: string;
  /** The unparsed bytes, as a buffer; the type that Fastify declares is wrong. */
  readonly rawPacket?: unknown;
}

interface Refusal {
  readonly problem: Problem;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const requestLine = /^[!#$%&'*+.^_`|~\w-]+ (\S+) HTTP\/1\.[01]\r?\n/;

/** Writes the response when Fastify never sees the request: Node's parser rejected it, or it did not arrive in time. */
export function answerUnreadable(error: ParserError, socket: Duplex, traceId: string, paths: ServedPaths): void {
  answerByHand(socket, traceId, refusalOf(error, paths));
}

/** Answers a CONNECT request for a tunnel. Node passes these outside the request handler. */
export function refuseTunnel(socket: Duplex, traceId: string): void {
  answerByHand(socket, traceId, { problem: new Problem('method_not_allowed', 'the method CONNECT is not supported') });
}

function refusalOf({ code, rawPacket }: ParserError, paths: ServedPaths): Refusal {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, problem: new Problem('invalid_request', 'the request was not received in time') };
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, problem: new Problem('invalid_request', 'the request headers are too large') };
    case 'HPE_INVALID_METHOD':
      return unknownMethod(rawPacket, paths);
    case undefined:
    default:
      return unreadable;
  }
}

const unreadable: Refusal = { problem: new Problem('invalid_request', 'the request is not valid HTTP') };

/** The parser knows a fixed list of methods. Any other word is an unsupported method. */
function unknownMethod(rawPacket: unknown, paths: ServedPaths): Refusal {
  const text =
    rawPacket instanceof Uint8Array
      ? Buffer.from(rawPacket.subarray(0, internalLimits.requestLineBytes)).toString('latin1')
      : '';
  const path = requestLine.exec(text)?.[1];
  return path === undefined ? unreadable : paths.refusal(path);
}

function answerByHand(socket: Duplex, traceId: string, { problem, status = problem.status, headers }: Refusal): void {
  if (socket.destroyed || !socket.writable) return;
  const failure = failureOf(problem, traceId, '');
  const body = JSON.stringify(failure.body);
  const fields = {
    ...failure.headers,
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
