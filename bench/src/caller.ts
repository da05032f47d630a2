import { connect, type Socket } from 'node:net';

/** The end of a response's headers. */
const blank = '\r\n\r\n';
/** JSON has no such line ends inside, so that nothing else looks like it. */
const lastChunk = '\r\n0\r\n\r\n';

interface Response {
  readonly status: number;
  /** As it was sent: in chunks, if it has no length. */
  readonly body: string;
}

interface Awaited {
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Sends requests over connections that stay open, and only checks when the whole response has arrived. It shares the
 * machine with the server that it measures, so a client that does more would distort the measurement.
 */
export class Caller {
  readonly #address: { readonly host: string; readonly port: number };
  readonly #headers: string;
  readonly #idle: Connection[] = [];
  readonly #all: Connection[] = [];

  constructor(url: string, token: string) {
    const { hostname: host, port } = new URL(url);
    this.#address = { host, port: Number(port) };
    this.#headers = `host: ${host}:${port}\r\nauthorization: Bearer ${token}\r\n`;
  }

  /** Milliseconds until the whole response had arrived. */
  async call(method: 'GET' | 'POST', path: string, body?: object): Promise<number> {
    const begun = performance.now();
    const payload = body === undefined ? '' : JSON.stringify(body);
    const described =
      body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(payload)}\r\n`;
    const connection = this.#idle.pop() ?? this.#open();
    const response = await connection.ask(`${method} ${path} HTTP/1.1\r\n${this.#headers}${described}\r\n${payload}`);
    this.#idle.push(connection);
    if (response.status >= 300) throw new Error(`${method} ${path} answered ${response.status} ${response.body}`);
    return performance.now() - begun;
  }

  end(): void {
    for (const connection of this.#all) connection.end();
  }

  #open(): Connection {
    const connection = new Connection(connect({ ...this.#address, noDelay: true }));
    this.#all.push(connection);
    return connection;
  }
}

/** One request at a time. */
class Connection {
  readonly #socket: Socket;
  #awaited: Awaited | undefined;
  #received = '';

  constructor(socket: Socket) {
    this.#socket = socket;
    // With this encoding a byte is a character, which is what lengths count.
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#take(text);
    });
    socket.on('error', (error) => {
      this.#awaited?.reject(error);
    });
    socket.on('close', () => {
      this.#awaited?.reject(new Error('the connection ended before the response was complete'));
    });
  }

  ask(request: string): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#awaited = { resolve, reject };
      this.#socket.write(request);
    });
  }

  end(): void {
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#received += text;
    const head = this.#received.indexOf(blank);
    if (head < 0) return;
    const header = this.#received.slice(0, head + 2);
    const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(header) ?? [];
    const isChunked = /\r\ntransfer-encoding: chunked\r\n/i.test(header);
    if (length === undefined && !isChunked) {
      this.#awaited?.reject(new Error('a response does not have a length'));
      return;
    }
    if (isChunked ? !this.#received.endsWith(lastChunk) : this.#received.length < head + blank.length + Number(length))
      return;
    const status = Number(this.#received.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    const body = this.#received.slice(head + blank.length);
    this.#received = '';
    const awaited = this.#awaited;
    this.#awaited = undefined;
    awaited?.resolve({ status, body });
  }
}
