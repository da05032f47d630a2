import { describe, expect, it, onTestFinished } from 'vitest';

import type { Line } from '@unikorn/core/lines';

import type { ServerReference } from '../../provider/index.ts';
import { simulatedProvider } from './index.ts';
import { answered, openSimulation, standardFlavor, ubuntuImage } from './simulated.fixture.ts';

/** A running machine behind its login prompt, and a way to open terminals. */
async function start() {
  const { world, store, provider, operator, region } = openSimulation();
  await operator.turn({ call_ms: 0 });
  onTestFinished(() => store.close());
  const identity = { id: world.uuid(), organizationId: 'o', projectId: 'p' };
  const run = <T>(call: Promise<T>) => answered(world, call);
  const reservations = { prefixLength: 28 };
  const network = { id: world.uuid(), prefix: '10.0.0.0/24', reservations, dnsNameservers: [], routes: [] };
  const server = {
    id: world.uuid(),
    name: 'web',
    flavorId: standardFlavor,
    imageId: ubuntuImage,
    networkId: network.id,
    securityGroupIds: [],
    publicIP: 'unwanted',
    allowedAddressPairs: [],
    keyPair: 'none',
    metadata: {},
  } as const;
  const reference: ServerReference = { id: server.id, name: server.name };
  await run(provider.identities.ensure(identity));
  await run(provider.networks.ensure(identity, network));
  await world.advance(10_000);
  await run(provider.servers.ensure(identity, server));
  await world.advance(15_000);
  const open = async (from = provider) => {
    const stop = new AbortController();
    onTestFinished(() => {
      stop.abort();
    });
    return watched(await run(from.servers.terminal(identity, reference, stop.signal)));
  };
  return { world, provider, identity, reference, run, open, restarted: () => simulatedProvider(region) };
}

/** Collects the output of a terminal. */
function watched(line: Line) {
  const seen = { text: '', error: undefined as unknown, isOver: false };
  void (async () => {
    for await (const piece of line.pieces) seen.text += Buffer.from(piece).toString();
  })()
    .catch((error: unknown) => {
      seen.error = error;
    })
    .finally(() => {
      seen.isOver = true;
    });
  return { ...line, seen, type: (text: string) => line.send(Buffer.from(text)) };
}

describe('the terminal of a simulated machine', () => {
  it('shows the boot while it happens, and then the login prompt', async () => {
    const { world, open } = await start();
    const { seen, type } = await open();
    await world.advance(2000);
    expect(seen.text).toContain('Linux version 6.8.0-simulated');
    expect(seen.text).not.toContain('login:');
    await type('too early\r');
    await world.advance(10_000);
    expect(seen.text).toMatch(/Multi-User System\.\r\nweb login: $/);
    await type('ann\rx\recho hello\r');
    await world.advance(1);
    expect(seen.text).toMatch(/web login: ann\r\nPassword: \r\nWelcome.*echo hello\r\nhello\r\nann@web:~\$ $/s);
  });

  it('is the same for all who look at it, in every process, and for those who come later', async () => {
    const { world, open, restarted, provider, identity, reference, run } = await start();
    await world.advance(10_000);
    const first = await open();
    const second = await open(restarted());
    await world.advance(1000);
    await first.type('ann\rsecret\r');
    await second.type('whoami\r');
    await world.advance(1000);
    expect(first.seen.text).toMatch(/whoami\r\nann\r\nann@web:~\$ $/);
    expect(second.seen.text).toBe(first.seen.text);
    first.close();
    const third = await open(restarted());
    await world.advance(1000);
    expect(third.seen.text).toBe(second.seen.text);
    expect(await run(provider.servers.consoleOutput(identity, reference, 2))).toBe('ann\nann@web:~$ ');
    expect(first.seen.text).not.toContain('secret');
  });

  it('keeps a bounded text', async () => {
    const { world, open } = await start();
    await world.advance(10_000);
    const first = await open();
    await world.advance(1000);
    await first.type('ann\rx\r');
    for (let count = 0; count < 100; count++) await first.type(`echo ${'x'.repeat(500)}\r`);
    const second = await open();
    await world.advance(1000);
    expect(second.seen.text.length).toBeLessThan(20_000);
    expect(second.seen.text).toMatch(/xxx\r\nann@web:~\$ $/);
  });

  it('begins anew with a reboot', async () => {
    const { world, open, provider, identity, reference, run } = await start();
    await world.advance(10_000);
    const { seen, type } = await open();
    await world.advance(1000);
    await type('ann\rx\r');
    await run(provider.servers.power(identity, reference, 'hardreboot'));
    await world.advance(20_000);
    expect(seen.text).toMatch(/ann@web:~\$ \r\n\[ +0\.000000\] Linux version.*\r\nweb login: $/s);
    expect(seen.isOver).toBe(false);
  });

  it('ends with the reason when the machine stops, and cannot be opened then', async () => {
    const { world, open, provider, identity, reference, run } = await start();
    const { seen } = await open();
    await run(provider.servers.power(identity, reference, 'stop'));
    await world.advance(10_000);
    expect(seen.error).toMatchObject({ kind: 'conflict', message: expect.stringContaining('has stopped') as string });
    await expect(open()).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('ends when it is closed', async () => {
    const { world, open } = await start();
    const { seen, close } = await open();
    await world.advance(1000);
    close();
    await world.advance(1);
    expect(seen).toMatchObject({ isOver: true, error: undefined });
  });
});
