import { once } from 'node:events';
import { connect as dial, createServer, type Socket } from 'node:net';

/**
 * A network between the browser and the server. It can be cut: then nothing is sent, and no connection ends. And it can
 * hold streams back: then the beginning of each arrives, and nothing more.
 */
export class Network {
  readonly #sockets = new Set<Socket>();
  readonly #held = new Set<Socket>();
  readonly #server = createServer((near) => {
    const far = dial(this.target, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      let streamed = 0;
      this.#sockets.add(one);
      one.on('data', (chunk: Buffer) => {
        other.write(chunk);
        if (one === far && (streamed > 0 || chunk.includes('text/event-stream'))) streamed += chunk.length;
        if (streamed <= this.#streamBytes) return;
        this.#held.add(one);
        one.pause();
      });
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        this.#held.delete(one);
        other.destroy();
      });
      if (this.#isCut) one.pause();
    }
  });
  #isCut = false;
  #streamBytes = Number.POSITIVE_INFINITY;
  target = 0;

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  mend(): void {
    this.#isCut = false;
    for (const socket of this.#sockets) socket.resume();
  }

  /** Lets about so many bytes of each stream through. */
  holdStreamsAfter(bytes: number): void {
    this.#streamBytes = bytes;
  }

  releaseStreams(): void {
    this.#streamBytes = Number.POSITIVE_INFINITY;
    for (const socket of this.#held) socket.resume();
    this.#held.clear();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
