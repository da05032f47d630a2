import { expect, it } from 'vitest';

import { executableBeside, executableOf, startCommand } from './executable.ts';

const [sources, installed] = ['/src/unikorn/executable.ts', '/lib/unikorn/executable.js'];

it('hints name the program as the user called it', () => {
  expect(executableOf({})).toBe('unikorn');
  expect(executableOf({ npm_command: 'exec' })).toBe('npx unikorn');
  expect(executableOf({ UNIKORN_CALLED_AS: './unikorn', npm_command: 'exec' })).toBe('./unikorn');
});

it('a server in a checkout names what works there, and an installed one names the installed program', () => {
  expect(executableBeside({ npm_lifecycle_event: 'start' }, sources)).toBe('npx unikorn');
  expect(executableBeside({ UNIKORN_CALLED_AS: './unikorn' }, sources)).toBe('./unikorn');
  expect(executableBeside({}, installed)).toBe('unikorn');
  expect(startCommand(sources)).toBe('npm start');
  expect(startCommand(installed)).toBe('unikorn serve');
});
