import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const root = dirname(dirname(import.meta.dirname));
const folder = mkdtempSync(join(tmpdir(), 'unikorn-package-'));
const { version } = JSON.parse(readFileSync(join(root, 'packages/unikorn/package.json'), 'utf8')) as {
  version: string;
};
const executable = join(folder, 'node_modules/unikorn/bin/unikorn.js');

/** A separate project that only has the packed packages. */
beforeAll(async () => {
  await run(process.execPath, ['scripts/package.ts'], { cwd: root });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const packed = ['unikorn', 'unikorn-sdk'].map((name) => join(root, 'dist', `${name}-${version}.tgz`));
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packed], { cwd: folder });
}, 300_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('the installed executable serves, and the installed SDK and command line talk to it', async () => {
  const server = spawn(
    process.execPath,
    [executable, 'serve', '--port', '0', '--state', join(folder, 'state'), '--log-level', 'silent'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    for await (const line of createInterface(server.stdout)) if (line.includes('is ready at')) break;
    writeFileSync(
      join(folder, 'list.js'),
      "import { readFileSync } from 'node:fs';\nimport { connect, dataOf } from '@unikorn/sdk';\nconst { endpoints, token } = JSON.parse(readFileSync('state/credentials.json', 'utf8'));\nfor (const { metadata } of await dataOf(connect({ endpoints, token }).compute.GET('/api/v2/instances'))) console.log(metadata.name);\n",
    );
    const bySdk = (await run(process.execPath, ['list.js'], { cwd: folder })).stdout.trim().split('\n');
    const byCommand = (
      await run(process.execPath, [executable, 'instance', 'list', '--all-projects', '-o', 'json'], {
        cwd: folder,
        env: { ...process.env, UNIKORN_STATE: join(folder, 'state') },
      })
    ).stdout;
    expect(bySdk.toSorted()).toEqual(['notebook', 'trainer', 'web-1', 'web-2']);
    expect(
      (JSON.parse(byCommand) as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name).toSorted(),
    ).toEqual(bySdk.toSorted());
  } finally {
    server.kill('SIGTERM');
    await once(server, 'close');
  }
});

it('the installed executable knows its version', async () => {
  expect((await run(process.execPath, [executable, '--version'])).stdout.trim()).toBe(version);
});

it('the package has a manual page for each command, which npm installs for all users', () => {
  const installed = join(folder, 'node_modules/unikorn');
  const { man } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { man: string[] };
  expect(man).toContain('./man/unikorn-instance.1');
  expect(man).toContain('./man/unikorn-serve.1');
  for (const page of man) expect(readFileSync(join(installed, page), 'utf8')).toMatch(/^\.TH UNIKORN/);
});
