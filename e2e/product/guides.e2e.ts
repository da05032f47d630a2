import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freePort } from '../free-port.fixture.ts';
import { shellBlocks, Terminal } from '../typed.fixture.ts';
import { freshCheckout } from './checkout.fixture.ts';

const checkout = freshCheckout();
const environment = {
  PATH: process.env['PATH'] ?? '',
  HOME: join(checkout.path, '.home'),
  UNIKORN_PORT: String(await freePort('127.0.0.1')),
};
const server = new Terminal(checkout.path, environment);

beforeAll(async () => {
  void server.type('npm start').catch(() => undefined);
  await server.shows(/is ready at/);
});

afterAll(async () => {
  const killer = new Terminal(checkout.path, environment);
  await killer.type('kill $(cat .unikorn/server.pid)');
  killer.close();
  server.close();
  checkout.remove();
});

/** Types the shell blocks of a guide, one after the other in one shell, and returns the output of all. */
async function typed(guide: string): Promise<string> {
  const terminal = new Terminal(checkout.path, environment);
  let output = '';
  for (const block of shellBlocks(readFileSync(join(checkout.path, 'docs/guides', guide), 'utf8')))
    output += await terminal.type(block);
  terminal.close();
  return output;
}

describe('the guides, typed as they are written', () => {
  it('curl: an instance is created, waited for, explained and deleted, and an error is shown', async () => {
    const output = await typed('curl.md');
    expect(output).toMatch(/^provisioned$/m);
    expect(output).toContain('error_description');
  });

  it('roles: a group, a person, a project and a service account', async () => {
    const output = await typed('roles.md');
    expect(output).toMatch(/^yes/m);
    expect(output).toContain('region:networks:v2');
  });

  it('Terraform: a token and the ids for the provider', async () => {
    expect(await typed('terraform.md')).toContain('terraform');
  });
});
