import { connect, createServer, type Socket } from 'node:net';

/** `refused`: connections are reset, and new ones too. `silent`: nothing arrives until it is mended, and then late. */
export type Cut = 'refused' | 'silent';

export type Wire = Awaited<ReturnType<typeof startWire>>;

/** A TCP proxy. Each new connection goes to the port that the function names; without a port it is reset. */
export async function startWire(target: () => number | undefined) {
  const pairs = new Set<readonly [Socket, Socket]>();
  let cut: Cut | undefined;
  let mended = Promise.withResolvers<undefined>();

  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    client.on('error', () => client.destroy());
    void (async () => {
      if (cut === 'silent') await mended.promise;
      const port = target();
      if (cut === 'refused' || port === undefined || client.destroyed) {
        client.resetAndDestroy();
        return;
      }
      const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      const pair = [client, upstream] as const;
      pairs.add(pair);
      const end = () => {
        pairs.delete(pair);
        for (const socket of pair) socket.destroy();
      };
      for (const socket of pair) socket.on('error', end).on('close', end);
      if (cut !== 'silent') join(pair);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut(how: Cut) {
      cut = how;
      for (const [client, upstream] of pairs)
        if (how === 'silent') part([client, upstream]);
        else client.resetAndDestroy();
    },
    mend() {
      cut = undefined;
      for (const pair of pairs) join(pair);
      mended.resolve(undefined);
      mended = Promise.withResolvers();
    },
    async stop() {
      for (const [client, upstream] of pairs) {
        client.destroy();
        upstream.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function join([client, upstream]: readonly [Socket, Socket]): void {
  client.pipe(upstream);
  upstream.pipe(client);
}

function part([client, upstream]: readonly [Socket, Socket]): void {
  for (const socket of [client, upstream]) {
    socket.unpipe();
    socket.pause();
  }
}
