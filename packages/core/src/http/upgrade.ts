import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocketServer } from 'ws';

import { Problem } from '../errors/index.ts';
import { limits } from '../limits.ts';
import { lineProtocol, relay, tokenIn, type OpenLine } from '../lines/index.ts';
import type { CompiledRoute } from './compiled.ts';
import type { Exchange } from './exchange.ts';
import { failureOf, problemOf } from './failure.ts';
import { httpMetrics } from './metrics.ts';
import { resourceUrl } from './origin.ts';
import type { Pipeline } from './pipeline.ts';

/** The bytes that followed the header of a request that asks for a WebSocket. */
const upgrades = new WeakMap<IncomingMessage, Buffer>();

/** Other upgrades, such as the one to HTTP/2 that some clients offer with each request, are ignored. */
export function isUpgrade({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Sends requests for a WebSocket through the same checks as all other requests. A route that does not open a line
 * answers them as if they were ordinary ones.
 */
export function acceptUpgrades(app: FastifyInstance, server: Server | SecureServer): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!(socket instanceof Socket)) {
      socket.destroy();
      return;
    }
    socket.on('error', () => socket.destroy());
    if (isUpgrade(request)) upgrades.set(request, head);
    const token = tokenIn(request.headers['sec-websocket-protocol'] ?? '');
    if (token !== undefined) request.headers.authorization ??= `Bearer ${token}`;
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on('finish', () => {
      socket.end();
    });
    app.routing(request, response);
  });
}

let accepting: Promise<WebSocketServer> | undefined;

/** It is loaded with the first line, because most processes never open one. */
async function accept(): Promise<WebSocketServer> {
  const { WebSocketServer: Accepting } = await import('ws');
  return new Accepting({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.linePieceBytes,
    // The token, which is among the offers of a browser, is never sent back.
    handleProtocols: (offered) => (offered.has(lineProtocol) ? lineProtocol : false),
  });
}

export function wantsUpgrade({ raw }: FastifyRequest): boolean {
  return upgrades.has(raw);
}

/** Opens the WebSocket of a request that passed all checks, and connects it with the line. */
export async function sendLine(
  pipeline: Pipeline,
  exchange: Exchange,
  { service, route }: CompiledRoute,
  open: OpenLine,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { runtime, limits: given } = pipeline;
  demandOrigin(pipeline, request, service);
  const { streams } = httpMetrics(runtime.telemetry.registry);
  exchange.passage?.hold('streams');
  exchange.answered = true;
  reply.raw.statusCode = 101;
  reply.hijack();
  streams.inc();
  try {
    const sockets = await (accepting ??= accept());
    const socket = await new Promise<Parameters<typeof relay>[0]>((resolve, reject) => {
      request.raw.socket.once('close', () => {
        reject(new Problem('invalid_request', 'the client has disconnected'));
      });
      sockets.handleUpgrade(request.raw, request.raw.socket, upgrades.get(request.raw) ?? Buffer.alloc(0), resolve);
    });
    const problem = await relay(socket, (signal) => exchange.run(() => open(signal)), {
      world: runtime.world,
      signal: exchange.signal,
      stall_ms: given.stall_ms,
      problemOf,
      endOf: (ended) => {
        const { status, body } = failureOf(ended, exchange.traceId, '');
        return { status, ...endBody(body, ended) };
      },
    });
    if (problem) exchange.log.info({ operation: route.operationId, err: problem }, 'a line was ended');
  } catch (error) {
    exchange.log.info({ operation: route.operationId, error }, 'a WebSocket was not opened');
  } finally {
    streams.dec();
  }
}

function endBody(body: object, { message, code }: Problem) {
  return {
    error: 'error' in body && typeof body.error === 'string' ? body.error : code,
    error_description: message,
    ...('trace_id' in body && typeof body.trace_id === 'string' ? { trace_id: body.trace_id } : {}),
  };
}

/**
 * A page of another site must not open a line with credentials that the browser adds. Programs send no origin, and the
 * origins of the configuration are allowed.
 */
function demandOrigin({ origins }: Pipeline, { headers }: FastifyRequest, service: CompiledRoute['service']): void {
  const { origin, host } = headers;
  if (origin === undefined || origins.includes(origin)) return;
  const allowed = [host, new URL(resourceUrl(headers, service)).host];
  if (URL.canParse(origin) && allowed.includes(new URL(origin).host)) return;
  throw new Problem('forbidden', 'header Origin: pages of this site may not open a terminal here');
}
