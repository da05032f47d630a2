import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { defineKind } from '../../kinds/index.ts';
import { expectProblem } from '../conformance/harness.ts';
import { team, Widget, widget } from '../conformance/kinds.ts';
import { matching } from '../selector.ts';
import { openScratchStore, scratchPaths } from './scratch.fixture.ts';
import { applicationId } from './schema.ts';

const scratchPath = scratchPaths();

/** A closed state with a few objects. */
async function existingState(): Promise<string> {
  const path = scratchPath();
  const store = await openScratchStore(path);
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      store.create(Widget, widget(`w${index}`, { labels: { [team]: 'red' } }, index)),
    ),
  );
  await store.close();
  return path;
}

function newPath(content?: string | Buffer): string {
  const path = scratchPath();
  mkdirSync(dirname(path), { recursive: true });
  if (content !== undefined) writeFileSync(path, content);
  return path;
}

async function refusal(path: string): Promise<unknown> {
  const opened = openScratchStore(path).then((store) => store.close());
  await expectProblem(opened, 'storage_unusable');
  return opened.catch((error: unknown) => (error instanceof Error ? error.message : error));
}

async function unprivilegedOpen(path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    fileURLToPath(new URL('./unprivileged.fixture.ts', import.meta.url)),
    path,
  ]);
  return stdout;
}

describe('opening a state', () => {
  it('creates it, directory included, and finds everything again', async () => {
    const path = await existingState();
    const store = await openScratchStore(path);
    expect((await store.list(Widget)).items).toHaveLength(50);
    await store.close();
  });

  it('leaves a single file behind when it is closed, and a lock', async () => {
    const path = await existingState();
    expect([path, `${path}.lock`, `${path}-wal`, `${path}-shm`, `${path}.new`].map(existsSync)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('that is in use is refused, and succeeds once it is free', async () => {
    const path = scratchPath();
    const first = await openScratchStore(path);
    expect(await refusal(path)).toContain(`${path} is in use`);
    await first.create(Widget, widget('a'));
    await first.close();
    const second = await openScratchStore(path);
    expect(await second.get(Widget, 'a')).toBeDefined();
    await second.close();
  });

  it('that another process uses is refused', async () => {
    const path = scratchPath();
    const store = await openScratchStore(path);
    if (process.getuid?.() !== 0) expect(await unprivilegedOpen(path)).toContain('is in use by another process');
    else {
      chmodSync(dirname(dirname(path)), 0o777);
      for (const file of [dirname(path), path, `${path}.lock`, `${path}-wal`, `${path}-shm`]) chmodSync(file, 0o777);
      expect(await unprivilegedOpen(path)).toContain('is in use by another process');
    }
    await store.close();
  });

  it.each([
    ['a text file', 'hello, I am something else'],
    ['a long text file', 'x'.repeat(10_000)],
  ])('that is %s is refused, and the file is not changed', async (_, content) => {
    const path = newPath(content);
    expect(await refusal(path)).toContain('is not a Unikorn state');
    expect(readFileSync(path, 'utf8')).toBe(content);
  });

  it('that is the database of another program is refused, and the file is not changed', async () => {
    const path = newPath();
    const foreign = new DatabaseSync(path);
    foreign.exec('CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)');
    foreign.close();
    const before = readFileSync(path);
    expect(await refusal(path)).toContain('is not a Unikorn state');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('of a newer release is refused, and the file is not changed', async () => {
    const path = await existingState();
    const newer = new DatabaseSync(path);
    newer.exec('PRAGMA user_version = 999');
    newer.close();
    const before = readFileSync(path);
    expect(await refusal(path)).toContain('written by a newer release');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('that lost its end is refused', async () => {
    const path = await existingState();
    truncateSync(path, 8192);
    expect(await refusal(path)).toContain('is damaged');
  });

  it('whose first pages are garbage is refused', async () => {
    const path = await existingState();
    const content = readFileSync(path);
    writeFileSync(path, content.fill(0xab, 100, 3 * 4096));
    expect(await refusal(path)).toContain('damaged');
  });

  it('that is a directory is refused', async () => {
    const path = newPath();
    mkdirSync(path);
    expect(await refusal(path)).toContain('is not a file');
  });

  it('that may not be written is refused', async () => {
    const path = await existingState();
    chmodSync(dirname(dirname(path)), 0o755);
    chmodSync(dirname(path), 0o555);
    expect(await unprivilegedOpen(path)).toMatch(/^storage_unusable: directory .* cannot be written/);
    chmodSync(dirname(path), 0o777);
    chmodSync(path, 0o444);
    expect(await unprivilegedOpen(path)).toMatch(/^storage_unusable: .*state\.db cannot be written/);
    chmodSync(path, 0o644);
  });

  it('whose creation was interrupted is completed', async () => {
    const path = newPath('');
    const draft = new DatabaseSync(`${path}.new`);
    draft.exec(`PRAGMA application_id = ${applicationId}; CREATE TABLE half (x)`);
    draft.close();
    const store = await openScratchStore(path);
    await store.create(Widget, widget('a'));
    await store.close();
    expect(existsSync(`${path}.new`)).toBe(false);
  });

  it('of a kind with other indexed labels than before finds everything by the new ones', async () => {
    const path = await existingState();
    const { spec, group, version, kind, plural } = Widget;
    const Reindexed = defineKind({ group, version, kind, plural, spec, status: {}, indexedLabels: ['other', team] });
    const store = await openScratchStore(path, { kinds: [Reindexed] });
    expect((await store.list(Reindexed, { selector: matching({ [team]: 'red' }) })).items).toHaveLength(50);
    expect((await store.list(Reindexed, { selector: matching({ other: 'red' }) })).items).toHaveLength(0);
    await store.close();
  });
});
