import type { ClientRequestArgs, IncomingMessage } from 'node:http';
import type { TlsOptions } from 'node:tls';

import type { ClientOptions, RawData, WebSocket } from 'ws';

import { internalLimits, limits } from '../limits.ts';
import type { World } from '../world/index.ts';
import { closeCodes, frameOf, type Frame } from './frames.ts';
import { closeSocket, keepAlive } from './keep-alive.ts';
import type { Line } from './line.ts';
import { Pieces } from './pieces.ts';

export interface Dialling {
  readonly url: string;
  readonly protocols: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly tls?: Pick<TlsOptions, 'cert' | 'key' | 'ca' | 'minVersion' | 'rejectUnauthorized'>;
  readonly world: World;
  readonly deadline_ms: number;
  /**
   * `frames`: the other side is a service of ours, whose text frames are about the line. `bytes`: all frames carry
   * bytes.
   */
  readonly speaks: 'frames' | 'bytes';
  /** The error of a refusal before the WebSocket is open. */
  readonly refusalOf: (refusal: { readonly status: number; readonly text: string }) => Error;
  /** The error of the last frame of a service. */
  readonly endOf?: (end: Extract<Frame, { type: 'end' }>) => Error;
}

/**
 * Opens a line over a WebSocket, and resolves when the other side is connected.
 *
 * @example const line = await dialled({ url, protocols: [lineProtocol], world, deadline_ms: 20_000, speaks: 'frames', refusalOf }, signal);
 */
export async function dialled(dialling: Dialling, signal: AbortSignal): Promise<Line> {
  const { url, protocols, headers, tls, world, deadline_ms, refusalOf } = dialling;
  // It is loaded with the first line, because most processes never open one.
  const { WebSocket: Socket } = await import('ws');
  signal.throwIfAborted();
  const options: ClientOptions & ClientRequestArgs = {
    ...(headers ? { headers } : {}),
    ...tls,
    perMessageDeflate: false,
    maxPayload: limits.linePieceBytes,
    followRedirects: false,
  };
  const socket = new Socket(url, [...protocols], options);
  const opened = Promise.withResolvers<undefined>();
  const abort = () => {
    opened.reject(signal.reason);
    socket.terminate();
  };
  signal.addEventListener('abort', abort);
  const cancel = world.after(deadline_ms, () => {
    opened.reject(new Error(`no connection within ${deadline_ms} ms`));
    socket.terminate();
  });
  socket.on('error', opened.reject);
  socket.on('close', () => {
    signal.removeEventListener('abort', abort);
    opened.reject(new Error('the connection was closed before it was open'));
  });
  socket.on('unexpected-response', (_request, response) => {
    void beginningOf(response).then((text) => {
      opened.reject(refusalOf({ status: response.statusCode ?? 0, text }));
      socket.terminate();
    });
  });
  const line = lineOver(socket, dialling, opened);
  try {
    await opened.promise;
    return line;
  } catch (error) {
    socket.terminate();
    throw error;
  } finally {
    cancel();
  }
}

async function beginningOf(response: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += String(chunk);
      if (text.length > internalLimits.refusalBytes) break;
    }
  } catch {
    // The part that was received is enough.
  }
  return text;
}

function lineOver(
  socket: WebSocket,
  { world, speaks, endOf }: Dialling,
  opened: Pick<PromiseWithResolvers<undefined>, 'resolve' | 'reject'>,
): Line {
  let reason: Error | undefined;
  const pieces = new Pieces({
    most: limits.lineBufferBytes,
    full: () => {
      socket.pause();
    },
    room: () => {
      if (socket.isPaused) socket.resume();
    },
  });
  const heard = (frame: Frame | undefined) => {
    if (frame?.type === 'open') opened.resolve(undefined);
    if (frame?.type === 'end') {
      reason = endOf?.(frame);
      if (reason) opened.reject(reason);
    }
  };
  socket.on('open', () => {
    keepAlive(socket, world);
    if (speaks === 'bytes') opened.resolve(undefined);
  });
  socket.on('message', (data, isBinary) => {
    if (speaks === 'frames' && !isBinary) heard(frameOf(bytesOf(data).toString('utf8')));
    else pieces.add(bytesOf(data));
  });
  socket.on('close', (code) => {
    const isExpected = code === closeCodes.over || code === 1005 || isClosedHere;
    pieces.end(reason ?? (isExpected ? undefined : new Error(`the connection was closed with code ${code}`)));
  });
  let isClosedHere = false;
  return {
    pieces,
    send: (piece) =>
      new Promise((resolve) => {
        if (socket.readyState !== socket.OPEN) resolve();
        else
          socket.send(piece, { binary: true }, () => {
            resolve();
          });
      }),
    close: () => {
      if (isClosedHere) return;
      isClosedHere = true;
      pieces.end();
      closeSocket(socket, world, closeCodes.over, '');
    },
  };
}

export function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
