import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * - open: connections go through
 * - closed: connections are refused
 * - silent: connections are accepted, and nothing is answered
 */
export type GateState = 'open' | 'closed' | 'silent';

/** A way to a server on this machine that can be closed. */
export interface Gate {
  readonly port: number;
  set(state: GateState): void;
  remove(): Promise<void>;
}

export async function openGate(target: number): Promise<Gate> {
  let state: GateState = 'open';
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((incoming) => {
    keep(incoming);
    if (state === 'closed') incoming.destroy();
    if (state !== 'open') return;
    const outgoing = connect(target, '127.0.0.1');
    keep(outgoing);
    incoming.pipe(outgoing).pipe(incoming);
    incoming.on('close', () => outgoing.destroy());
    outgoing.on('close', () => incoming.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    set: (next) => {
      state = next;
      endAll();
    },
    remove: async () => {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
