import type { WebSocket } from 'ws';

import { waits } from '../limits.ts';
import type { World } from '../world/index.ts';

/** Pings the other side, and cuts the connection when nothing was received for three pings. */
export function keepAlive(socket: WebSocket, world: World): void {
  let missed = 0;
  let cancel = () => {};
  const alive = () => {
    missed = 0;
  };
  const beat = () => {
    missed += 1;
    if (missed > 3) {
      socket.terminate();
      return;
    }
    if (socket.readyState === socket.OPEN) socket.ping();
    cancel = world.after(waits.heartbeat_ms, beat);
  };
  cancel = world.after(waits.heartbeat_ms, beat);
  socket.on('message', alive).on('ping', alive).on('pong', alive);
  socket.on('close', () => {
    cancel();
  });
}

/** Closes a connection. If the other side does not answer, it is cut. */
export function closeSocket(socket: WebSocket, world: World, code: number, reason: string): void {
  const cancel = world.after(waits.lineClose_ms, () => {
    socket.terminate();
  });
  socket.on('close', cancel);
  socket.close(code, reason);
}
