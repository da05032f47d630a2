import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { waits } from '../limits.ts';
import { silentTelemetry, virtualWorld } from '../testing/index.ts';
import { testAuthority } from '../testing/certificates.ts';
import { CertificateFiles } from './index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unikorn-tls-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const authority = testAuthority();
const [first, second] = [authority.issue('unikorn-region'), authority.issue('unikorn-region')];

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

function complete({ certificate, key } = first) {
  return { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': authority.certificate };
}

async function open() {
  const world = virtualWorld();
  const files = await CertificateFiles.open(folder, { world, telemetry: silentTelemetry() });
  return { files, world };
}

it.each([
  ['a missing file', { 'tls.crt': '' }, /tls\.key cannot be read/],
  ['a file without a certificate', { ...complete(), 'ca.crt': 'nothing' }, /ca\.crt does not contain a certificate/],
  ['a file without a key', { ...complete(), 'tls.key': 'nothing' }, /tls\.key does not contain a private key/],
  ['the key of another certificate', { ...complete(), 'tls.key': second.key }, /is not the key of tls\.crt/],
])('%s is refused at the start', async (_name, files, message) => {
  write(files);
  await expect(open()).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(message) as string,
  });
});

it('changed files are used once they fit together', async () => {
  write(complete());
  const { files, world } = await open();
  const told: string[] = [];
  files.onChange(({ certificate }) => told.push(certificate));
  const stop = new AbortController();
  const watching = files.watch(stop.signal);
  const look = async () => {
    await world.advance(waits.certificateFiles_ms);
    // Reading files takes turns of the event loop, and no virtual time.
    await files.reload();
    return files.current.certificate;
  };
  const before = files.current;
  expect(await look()).toBe(first.certificate);
  expect(files.current).toBe(before);
  write({ 'tls.crt': second.certificate });
  expect(await look()).toBe(first.certificate);
  write({ 'tls.key': second.key });
  expect(await look()).toBe(second.certificate);
  expect(told).toEqual([second.certificate]);
  stop.abort();
  await world.settle();
  await watching;
});
