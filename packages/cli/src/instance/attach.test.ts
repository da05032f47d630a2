import { PassThrough } from 'node:stream';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { run } from '../index.ts';
import { cli, cliOn, environmentOf, fakeTerminal, hurry, startProduct, type Product } from '../testing/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  await hurry(product, { call_ms: 0, build_ms: 0, power_ms: 0 });
  expect(
    await cli(
      product,
      'instance',
      'create',
      'attached',
      '--network',
      'frontend',
      '--flavor',
      'sim-standard-4',
      '--image',
      'debian-13-amd64',
    ),
  ).toMatchObject({ code: 0 });
}, 60_000);
afterAll(() => product[Symbol.asyncDispose]());

/** A terminal whose keys the test types. */
function keyboard() {
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (mode: boolean) => {
      modes.push(mode);
    },
  });
  const stop = new AbortController();
  const terminal = { ...fakeTerminal({ env: environmentOf(product), interactive: true, signal: stop.signal }), stdin };
  const shows = async (text: string) => {
    await expect.poll(() => terminal.written().stdout, { timeout: 30_000 }).toContain(text);
  };
  return { modes, stdin, terminal, shows, stop, code: run(['instance', 'console', 'attached', '--attach'], terminal) };
}

it('two users see the same text, and a third one who comes later sees it, too', async () => {
  const [first, second] = [keyboard(), keyboard()];
  await first.shows('login: ');
  await second.shows('login: ');
  first.stdin.write('ann\rsecret\r');
  await first.shows('ann@attached:~$ ');
  second.stdin.write('echo from the second\r');
  await first.shows('\r\nfrom the second\r\n');
  first.stdin.write('\r~.');
  expect(await first.code).toBe(0);
  expect(first.terminal.written().stderr).toContain('to leave, type ~.');
  const third = keyboard();
  await third.shows('\r\nfrom the second\r\n');
  third.stdin.write('\x1d');
  second.stdin.write('\x1d');
  expect(await third.code).toBe(0);
  expect(await second.code).toBe(0);
  for (const { modes } of [first, second, third]) expect(modes).toEqual([true, false]);
}, 60_000);

it('types the lines of a pipe', async () => {
  await cliOn(
    fakeTerminal({ env: environmentOf(product), input: 'exit\n' }),
    'instance',
    'console',
    'attached',
    '--attach',
  );
  const ran = await cliOn(
    fakeTerminal({ env: environmentOf(product), input: 'bob\nsecret\nwhoami' }),
    'instance',
    'console',
    'attached',
    '--attach',
  );
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toMatch(/whoami\r\nbob\r\nbob@attached:~\$ $/);
}, 60_000);

it('restores the terminal after Ctrl-C of another kind, and after a refusal', async () => {
  const interrupted = keyboard();
  await interrupted.shows('attached');
  interrupted.stop.abort(new Error('interrupted'));
  await interrupted.code;
  expect(interrupted.modes).toEqual([true, false]);
  expect(await cli(product, 'instance', 'stop', 'attached')).toMatchObject({ code: 0 });
  const refused = keyboard();
  expect(await refused.code).not.toBe(0);
  expect(refused.terminal.written().stderr).toContain('the machine is stopped: start it first');
  expect(refused.modes).toEqual([true, false]);
}, 60_000);
