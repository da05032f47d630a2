import type { WebSocket } from 'ws';

import { Problem } from '../errors/index.ts';
import { limits, waits } from '../limits.ts';
import type { World } from '../world/index.ts';
import { bytesOf } from './dialled.ts';
import { closeCodeOf, closeCodes, closeReason, type Frame } from './frames.ts';
import { closeSocket, keepAlive } from './keep-alive.ts';
import type { Line, OpenLine } from './line.ts';

export interface Relaying {
  readonly world: World;
  /** Aborts when the server stops, or when the client has gone away. */
  readonly signal: AbortSignal;
  readonly stall_ms: number;
  readonly problemOf: (error: unknown) => Problem;
  readonly endOf: (problem: Problem) => Omit<Extract<Frame, { type: 'end' }>, 'type'>;
}

/**
 * Connects a client with a line, until one of them hangs up or the server stops. Neither side is read faster than the
 * other one takes it. Returns the reason if the line failed.
 */
export async function relay(socket: WebSocket, open: OpenLine, relaying: Relaying): Promise<Problem | undefined> {
  const { world, signal, problemOf, endOf } = relaying;
  socket.on('error', () => {
    socket.terminate();
  });
  keepAlive(socket, world);
  tellRegularly(socket, world);
  // Before the line is open, nothing is read that would have to be kept.
  socket.pause();
  let line: Line | undefined;
  const hangUp = () => line?.close();
  signal.addEventListener('abort', hangUp);
  try {
    line = await inTime(open, relaying);
    if (signal.aborted) line.close();
    tell(socket, { type: 'open' });
    takeFrom(socket, line);
    for await (const piece of line.pieces) await given(socket, piece, relaying);
    if (signal.aborted) closeSocket(socket, world, closeCodes.stopping, 'the server stops; connect again');
    else closeSocket(socket, world, closeCodes.over, 'the machine has ended the connection');
    return undefined;
  } catch (error) {
    const problem = problemOf(error);
    const end = endOf(problem);
    tell(socket, { type: 'end', ...end });
    closeSocket(socket, world, closeCodeOf(end.status), closeReason(end.error_description));
    return problem;
  } finally {
    signal.removeEventListener('abort', hangUp);
    line?.close();
    socket.resume();
  }
}

/** Opens the line. A line that opens after the deadline is closed at once. */
async function inTime(open: OpenLine, { world, signal }: Relaying): Promise<Line> {
  const ending = new AbortController();
  const abort = () => {
    ending.abort();
  };
  signal.addEventListener('abort', abort);
  const late = Promise.withResolvers<never>();
  const cancel = world.after(limits.callTimeout_ms, () => {
    ending.abort();
    late.reject(new Problem('unavailable', 'the console of the machine cannot be reached at the moment: try again'));
  });
  const opening = open(ending.signal);
  try {
    return await Promise.race([opening, late.promise]);
  } catch (error) {
    opening.then(
      (line) => {
        line.close();
      },
      () => undefined,
    );
    throw error;
  } finally {
    cancel();
  }
}

function tell(socket: WebSocket, frame: Frame): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
}

function tellRegularly(socket: WebSocket, world: World): void {
  let cancel = () => {};
  const beat = () => {
    tell(socket, { type: 'alive' });
    cancel = world.after(waits.heartbeat_ms, beat);
  };
  cancel = world.after(waits.heartbeat_ms, beat);
  socket.on('close', () => {
    cancel();
  });
}

/** Passes the input of the client on. While the line takes it, the client is not read. */
function takeFrom(socket: WebSocket, line: Line): void {
  let passed = Promise.resolve();
  let pending = 0;
  socket.on('message', (data) => {
    pending += 1;
    socket.pause();
    passed = passed
      .then(() => line.send(bytesOf(data)))
      .catch(() => {
        line.close();
      })
      .finally(() => {
        pending -= 1;
        if (pending === 0) socket.resume();
      });
  });
  socket.on('close', () => {
    line.close();
  });
  if (socket.readyState !== socket.OPEN) line.close();
  socket.resume();
}

/** Resolves when the connection has taken the bytes. A client that does not read is cut off. */
function given(socket: WebSocket, piece: Uint8Array, { world, stall_ms }: Relaying): Promise<void> {
  return new Promise((resolve) => {
    const cancel = world.after(stall_ms, () => {
      socket.terminate();
    });
    const done = () => {
      cancel();
      resolve();
    };
    if (socket.readyState === socket.OPEN) socket.send(piece, { binary: true }, done);
    else done();
  });
}
