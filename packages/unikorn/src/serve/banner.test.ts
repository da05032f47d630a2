import { expect, it } from 'vitest';

import { banner, type Ready } from './banner.ts';

const password = 'Xa8-fresh-secret';

function text(changes: Partial<Ready>): string {
  const endpoints = {
    identity: 'http://127.0.0.1:1/identity',
    region: 'http://127.0.0.1:1/region',
    compute: 'http://127.0.0.1:1/compute',
  };
  const credentials = { adminToken: 'uksa_token', administrator: { email: 'admin@example.com', password }, endpoints };
  return banner({
    base: 'http://127.0.0.1:1',
    file: '/var/lib/unikorn/credentials.json',
    configurationFile: undefined,
    credentials,
    newPassword: undefined,
    isTerminal: true,
    ephemeral: false,
    executable: 'npx unikorn',
    ...changes,
  });
}

it('shows the password that this start created on a terminal', () => {
  expect(text({ newPassword: password })).toContain(`admin@example.com, password ${password} (shown once)\n`);
});

it('never shows it again, although the credentials still contain it', () => {
  expect(text({})).not.toContain(password);
  expect(text({})).not.toContain(' password ');
});

it('never writes it to a log or a pipe, but shows how to set one', () => {
  for (const newPassword of [password, undefined])
    expect(text({ isTerminal: false, newPassword })).not.toContain(password);
  expect(text({ isTerminal: false, newPassword: password })).toContain(
    'set a password: UNIKORN_STATE=/var/lib/unikorn npx unikorn password admin@example.com\n',
  );
});

it('shows no token', () => {
  for (const isTerminal of [true, false]) expect(text({ isTerminal, newPassword: password })).not.toContain('uksa_');
});

it('names the program that is installed', () => {
  const shown = text({ executable: 'unikorn' });
  expect(shown).not.toContain('npx');
  expect(shown).toContain('in a terminal: unikorn login http://127.0.0.1:1\n');
  expect(shown).toContain('    UNIKORN_STATE=/var/lib/unikorn unikorn organization list\n');
});
