import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { MigrationRecord } from '@unikorn/core/migration';
import { survey, writeObjects } from '@unikorn/core/transfer';
import { systemWorld as world } from '@unikorn/core/world';

import { restore } from '../backup.ts';
import { openStateForCopy } from '../serve/open-store.ts';
import { keyFile, objectsFile } from '../state-directory.ts';
import { temporaryFolder } from '../unikorn.fixture.ts';
import { installationIn, silence } from './installation.ts';
import { reportTo } from './report.ts';

async function stateIn(state: string) {
  const store = await openStateForCopy({ state, world, telemetry: silence(world) });
  onTestFinished(() => store.close());
  return store;
}

it('a backup of an installation on Kubernetes is restored to a state directory, and replaces a state only if it may', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => {
    folder.remove();
  });
  const [from, copy, to] = ['from', 'copy', 'to'].map((name) => join(folder.path, name)) as [string, string, string];
  const store = await stateIn(from);
  await store.create(MigrationRecord, { metadata: { name: 'test-one' }, spec: { finishedAt: 'then' } });
  mkdirSync(copy);
  await writeObjects(objectsFile(copy), installationIn(store).objects(), { release: '1', time: 'now' });
  writeFileSync(keyFile(copy), 'key');
  const settings = { state: { directory: to, ephemeral: false }, store: { type: 'sqlite' as const } };
  const restored = (replace: boolean) => restore(copy, settings, { replace }, reportTo({ write: () => true }));
  await restored(false);
  await expect(restored(false)).rejects.toThrow('there is already a state');
  await restored(true);
  const { digest, total } = await survey(installationIn(await stateIn(to)));
  expect({ digest, total }).toEqual({ digest: (await survey(installationIn(store))).digest, total: 1 });
});

it('a person sees one line that changes, and a pipe gets plain lines', () => {
  const written = (isTTY: boolean) => {
    let text = '';
    const { progress, line } = reportTo({ isTTY, write: (part) => (text += part) });
    for (let done = 1; done <= 250; done++) progress({ step: 'write', done, total: 250 });
    line('done');
    return text;
  };
  expect(written(false)).toBe('copied 250 of 250 objects\ndone\n');
  expect(written(true)).toBe(
    '\r\u001B[Kcopied 100 of 250 objects\r\u001B[Kcopied 200 of 250 objects\r\u001B[Kcopied 250 of 250 objects\ndone\n',
  );
});
