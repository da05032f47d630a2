import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { coloursFor } from './output/colours.ts';
import {
  cliOn,
  environmentOf,
  fakeTerminal,
  startProduct,
  type FakeTerminalOptions,
  type Product,
} from './testing/product.ts';

const run = (args: string, options: FakeTerminalOptions = {}) =>
  cliOn(fakeTerminal(options), ...args.split(' ').filter((word) => word !== ''));

describe('help', () => {
  it.each([
    ['', 'Usage: unikorn [options] [command]'],
    ['help', 'Usage: unikorn [options] [command]'],
    ['help instance', 'Usage: unikorn instance|instances [options] [command]'],
    ['help instance create', 'Usage: unikorn instance create [options] <name>'],
    ['instance help', 'Usage: unikorn instance|instances [options] [command]'],
    ['instance help create', 'Usage: unikorn instance create [options] <name>'],
    ['instance create -h', 'Usage: unikorn instance create [options] <name>'],
    ['context help delete', 'Usage: unikorn context delete|rm [options] <name>'],
  ])('unikorn %s prints it to standard output', async (args, usage) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(usage);
  });

  it('has lines that fit the terminal, except for examples', async () => {
    const { stdout } = await run('--help', { interactive: true, columns: 80 });
    expect(stdout).toContain('\n\nExit codes:\n  0    success\n');
    expect(stdout).not.toMatch(/\n\n\n|\n\n$/);
    for (const line of stdout.split('\n'))
      if (!line.startsWith('  unikorn ')) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it.each([
    ['quota get', "error: missing required argument 'kind'\n(usage: unikorn quota get <kind>; --help shows more)\n"],
    [
      'instance delete',
      "error: missing required argument 'name or id'\n(usage: unikorn instance delete <name or id...> [options]; --help shows more)\n",
    ],
    [
      'apply',
      "error: required option '-f, --filename <path>' not specified\n(usage: unikorn apply -f <path> [options]; --help shows more)\n",
    ],
    ['instance lst', "error: unknown command 'lst'\n(Did you mean list?)\n(add --help for the list of commands)\n"],
  ])('a mistake in unikorn %s says how it is used', async (args, stderr) => {
    expect(await run(args)).toEqual({ code: 2, stdout: '', stderr });
  });

  it('is not what a resource with this name means', async () => {
    expect((await run('login help --no-input')).stdout).toBe('');
  });
});

describe('standard input', () => {
  it('that is a terminal is announced', async () => {
    const waiting = await run('apply -f -', { interactive: true, input: '' });
    expect(waiting.stderr).toMatch(/^type the text, and end it with Ctrl-D on a new line\n/);
    expect((await run('apply -f -', { input: '' })).stderr).not.toContain('Ctrl-D');
    expect(await run('apply -f - --no-input', { interactive: true })).toMatchObject({ code: 2 });
  });

  it('is asked for a token without echo', async () => {
    const { stderr } = await run('login http://127.0.0.1:1 --token -', { interactive: true, input: 'not a token\n' });
    expect(stderr).toContain('Token: \n');
    expect(stderr).not.toContain('not a token\n');
  });
});

describe('colours', () => {
  it.each([
    ['a terminal', {}, true],
    ['a terminal that cannot show them', { TERM: 'dumb' }, false],
    ['a user who does not want them', { NO_COLOR: '1' }, false],
    ['a user who always wants them', { TERM: 'dumb', FORCE_COLOR: '1' }, true],
  ])('for %s', (_who, env, coloured) => {
    const { stdout } = fakeTerminal({ interactive: true });
    expect(coloursFor(stdout, env).isColorSupported).toBe(coloured);
    expect(coloursFor(fakeTerminal().stdout, {}).isColorSupported).toBe(false);
  });
});

describe('with a server', () => {
  let product: Product;
  beforeAll(async () => {
    product = await startProduct();
  });
  afterAll(() => product[Symbol.asyncDispose]());
  const here = (args: string, options: FakeTerminalOptions = {}) =>
    run(args, { ...options, env: { ...environmentOf(product), ...options.env } });

  it('--quiet prints results, questions and errors only', async () => {
    const made = await here('network create calm --prefix 10.66.0.0/24 --region north --quiet');
    expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('calm') as string });
    const asked = await here('network delete calm -q', { interactive: true, input: 'y\n' });
    expect(asked).toMatchObject({ code: 0, stderr: 'Delete network calm, and with it everything in it? [y/N] ' });
    expect(await here('network get calm -q')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('error: there is no network calm') as string,
    });
  });

  it('--no-input never asks, also in a terminal', async () => {
    const refused = await here('serviceaccount rotate demo --no-input', { interactive: true, input: 'y\n' });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('add --yes to confirm');
    expect(refused.stderr).not.toContain('[y/N]');
    expect(await here('passwd --no-input', { interactive: true, input: 'a\nb\n' })).toMatchObject({ code: 2 });
    expect(await here('login --no-input', { interactive: true })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--token -') as string,
    });
  });

  it('--no-color works on every command', async () => {
    const listed = (flags: string) => here(`network list${flags}`, { interactive: true, env: { NO_COLOR: '' } });
    expect((await listed('')).stdout).toContain('\u001B[');
    expect((await listed(' --no-color')).stdout).not.toContain('\u001B[');
  });
});
