import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { certificateData, startListener } from '../../../region/src/providers/kubernetes/cluster.fixture.ts';

const main = join(import.meta.dirname, '../../../unikorn/src/main.ts');
let folder: string;
let listener: Awaited<ReturnType<typeof startListener>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unikorn-tls-'));
  await writeFile(join(folder, 'authority.pem'), Buffer.from(certificateData, 'base64'));
  listener = await startListener(({ url }) =>
    url.pathname.endsWith('/healthz') ? { status: 200, body: {} } : { status: 503, body: {} },
  );
});

afterAll(async () => {
  await listener.stop();
  await rm(folder, { recursive: true });
});

/** Trusted certificates are read at the start of a process, so this test needs a separate process. */
function doctor(env: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, 'doctor'],
      {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          XDG_CONFIG_HOME: folder,
          UNIKORN_URL: listener.server,
          UNIKORN_TOKEN: 'x',
          ...env,
        },
      },
      (_error, stdout, stderr) => {
        resolve(stdout + stderr);
      },
    );
  });
}

it('a trusted certificate is checked for its expiry', async () => {
  expect(await doctor({ NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') })).toContain(
    '✓ tls: the certificate is valid until 2120-01-01',
  );
});

it('the authorities of the system are trusted', async () => {
  expect(await doctor({ SSL_CERT_FILE: join(folder, 'authority.pem') })).toContain(
    '✓ tls: the certificate is valid until 2120-01-01',
  );
});

it('a certificate of an unknown authority is a problem, and the remedy is shown', async () => {
  expect(await doctor()).toMatch(/✗ network: .*certificate.*\n.*NODE_EXTRA_CA_CERTS/);
});
