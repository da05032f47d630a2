import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { isProblem, type ProblemCode } from '../../errors/index.ts';
import { expectProblem } from '../conformance/harness.ts';
import { Widget, widget } from '../conformance/kinds.ts';
import { backupFile, restoreFile } from './backup.ts';
import { openScratchStore, scratchPaths } from './scratch.fixture.ts';

const scratchPath = scratchPaths();

function emptyDirectory(): string {
  const path = scratchPath();
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

async function stateWith(...names: readonly string[]): Promise<string> {
  const path = scratchPath();
  const store = await openScratchStore(path);
  for (const name of names) await store.create(Widget, widget(name));
  await store.close();
  return path;
}

async function namesIn(path: string): Promise<string[]> {
  const store = await openScratchStore(path);
  const { items } = await store.list(Widget);
  await store.close();
  return items.map(({ metadata }) => metadata.name);
}

function expectRefusal(action: () => void, code: ProblemCode, message: RegExp): void {
  try {
    action();
  } catch (error) {
    expect(isProblem(error, code)).toBe(true);
    expect(String(error)).toMatch(message);
    return;
  }
  expect.fail('it was not refused');
}

describe('a backup', () => {
  it('during many writes contains everything acknowledged before, is complete, and blocks no writer', async () => {
    const store = await openScratchStore(scratchPath());
    const target = emptyDirectory();
    await Promise.all(Array.from({ length: 200 }, (_, index) => store.create(Widget, widget(`before-${index}`))));
    let writing = true;
    const during = Array.from({ length: 8 }, async (_, writer) => {
      let count = 0;
      for (; writing; count++) await store.create(Widget, widget(`during-${writer}-${count}`));
      return count;
    });
    await store.backup(target);
    writing = false;
    const written = await Promise.all(during);
    await store.close();
    expect(Math.min(...written)).toBeGreaterThan(0);
    expect([`${target}-wal`, `${target}.partial`].some(existsSync)).toBe(false);
    expect((await namesIn(target)).filter((name) => name.startsWith('before'))).toHaveLength(200);
  });

  it('can be taken by another process while the store is in use', async () => {
    const path = scratchPath();
    const store = await openScratchStore(path);
    await store.create(Widget, widget('a'));
    const target = emptyDirectory();
    const script = `const { backupFile } = await import(${JSON.stringify(new URL('./backup.ts', import.meta.url).href)}); await backupFile(...process.argv.slice(1))`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, path, target]);
    await store.create(Widget, widget('b'));
    await store.close();
    expect(await namesIn(target)).toEqual(['a']);
  });

  it('is not made of a damaged state', async () => {
    const path = await stateWith(...Array.from({ length: 200 }, (_, index) => `widget-${index}`));
    const bytes = readFileSync(path);
    bytes.fill(0xa5, Math.floor(bytes.length / 8192) * 4096, Math.floor(bytes.length / 8192) * 4096 + 8192);
    writeFileSync(path, bytes);
    const target = emptyDirectory();
    await expectProblem(backupFile(path, target), 'storage_unusable');
    expect(existsSync(target)).toBe(false);
  });

  it('never overwrites a file and needs a state to copy', async () => {
    const path = await stateWith('a');
    const taken = emptyDirectory();
    writeFileSync(taken, 'mine');
    await expectProblem(backupFile(path, taken), 'conflict');
    expect(readFileSync(taken, 'utf8')).toBe('mine');
    await expectProblem(backupFile(`${path}.nowhere`, emptyDirectory()), 'storage_unusable');
    await expectProblem(backupFile(path, `${path}.missing/directory`), 'storage_unusable');
  });
});

describe('a restore', () => {
  it('creates a state from a backup', async () => {
    const backup = emptyDirectory();
    await backupFile(await stateWith('a', 'b'), backup);
    const target = emptyDirectory();
    restoreFile(backup, target);
    expect(await namesIn(target)).toEqual(['a', 'b']);
  });

  it('replaces an existing state only when asked to, log included', async () => {
    const backup = emptyDirectory();
    await backupFile(await stateWith('from-backup'), backup);
    const target = await crashedStateWith('old');
    expectRefusal(
      () => {
        restoreFile(backup, target);
      },
      'conflict',
      /already exists/,
    );
    restoreFile(backup, target, { replace: true });
    expect(await namesIn(target)).toEqual(['from-backup']);
  });

  it('is refused while the state is in use', async () => {
    const path = scratchPath();
    const store = await openScratchStore(path);
    const backup = emptyDirectory();
    await store.backup(backup);
    expectRefusal(
      () => {
        restoreFile(backup, path, { replace: true });
      },
      'storage_unusable',
      /is in use/,
    );
    await store.create(Widget, widget('a'));
    await store.close();
  });

  it('of a file that is not a complete backup is refused and changes nothing', async () => {
    const target = await stateWith('kept');
    const backup = emptyDirectory();
    await backupFile(target, backup);
    const damaged = emptyDirectory();
    writeFileSync(damaged, readFileSync(backup).fill(0xab, 2 * 4096, 5 * 4096));
    const newer = emptyDirectory();
    copyFileSync(backup, newer);
    const database = new DatabaseSync(newer);
    database.exec('PRAGMA user_version = 999');
    database.close();
    const foreign = emptyDirectory();
    writeFileSync(foreign, 'hello');
    for (const [source, message] of [
      [damaged, /damaged/],
      [newer, /newer release/],
      [foreign, /not a Unikorn state/],
      [`${foreign}.nowhere`, /no backup/],
    ] as const) {
      expectRefusal(
        () => {
          restoreFile(source, target, { replace: true });
        },
        'storage_unusable',
        message,
      );
    }
    expect(existsSync(`${target}.restoring`)).toBe(false);
    expect(await namesIn(target)).toEqual(['kept']);
  });
});

/** A state as a killed process leaves it: the last writes are only in the log. */
async function crashedStateWith(name: string): Promise<string> {
  const live = scratchPath();
  const store = await openScratchStore(live);
  await store.create(Widget, widget(name));
  const target = emptyDirectory();
  for (const suffix of ['', '-wal']) copyFileSync(`${live}${suffix}`, `${target}${suffix}`);
  await store.close();
  return target;
}
