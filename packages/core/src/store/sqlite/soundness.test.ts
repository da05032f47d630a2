import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { describe, expect, it, vi } from 'vitest';

import { isProblem } from '../../errors/index.ts';
import { silentTelemetry } from '../../testing/index.ts';
import { eventsUntil, expectProblem, names } from '../conformance/harness.ts';
import { Gadget, gadget, ownedBy, Widget, widget } from '../conformance/kinds.ts';
import { backupFile, restoreFile } from './backup.ts';
import { examineState } from './examine.ts';
import { openScratchStore, scratchPaths } from './scratch.fixture.ts';

const scratchPath = scratchPaths();

/** A state as a killed process leaves it: the last writes are only in the log. */
async function crashedState(count: number): Promise<{ readonly path: string; readonly head: number }> {
  const live = scratchPath();
  const store = await openScratchStore(live);
  let head = 0;
  // One after the other, so that each is a commit of its own.
  for (let index = 0; index < count; index++)
    head = Number((await store.create(Widget, widget(`w${index}`))).metadata.resourceVersion);
  const path = emptyDirectory();
  for (const suffix of ['', '-wal', '.head']) copyFileSync(`${live}${suffix}`, `${path}${suffix}`);
  await store.close();
  return { path, head };
}

function emptyDirectory(): string {
  const path = scratchPath();
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

function flipByte(file: string, position: number): void {
  const bytes = readFileSync(file);
  bytes[position] = (bytes[position] ?? 0) ^ 0x01;
  writeFileSync(file, bytes);
}

function filesOf(path: string): Record<string, string> {
  return Object.fromEntries(
    ['', '-wal', '.head']
      .filter((suffix) => existsSync(`${path}${suffix}`))
      .map((suffix) => [suffix, readFileSync(`${path}${suffix}`).toString('base64')]),
  );
}

async function refusal(opening: Promise<unknown>): Promise<string> {
  await expectProblem(opening, 'storage_unusable');
  return opening.then(() => '', String);
}

const damages: readonly (readonly [string, (wal: string) => void])[] = [
  [
    'has a flipped byte in the middle',
    (wal) => {
      flipByte(wal, Math.floor(readFileSync(wal).length / 2));
    },
  ],
  [
    'has a flipped byte in its last page',
    (wal) => {
      flipByte(wal, readFileSync(wal).length - 100);
    },
  ],
  [
    'has a flipped byte in its header',
    (wal) => {
      flipByte(wal, 17);
    },
  ],
  [
    'lost its end',
    (wal) => {
      writeFileSync(wal, readFileSync(wal).subarray(0, 40_000));
    },
  ],
  [
    'is gone',
    (wal) => {
      rmSync(wal);
    },
  ],
];

describe('a state whose log', () => {
  it('is in the state of a killed process has everything', async () => {
    const { path } = await crashedState(5);
    expect(examineState(path)).toEqual({ inUse: false });
    const store = await openScratchStore(path);
    expect((await store.list(Widget)).items).toHaveLength(5);
    await store.close();
  });

  it.each(damages)('%s is refused, says what is lost, and is left as it is', async (_, harm) => {
    const { path, head } = await crashedState(12);
    harm(`${path}-wal`);
    const before = filesOf(path);
    const told = await refusal(openScratchStore(path));
    expect(told).toMatch(
      /acknowledged changes? (is|are) missing from .*state\.db.* up to \d{4}-.*unikorn restore <folder> --replace, or start with --accept-loss/,
    );
    expect(told).not.toMatch(/restart/);
    expect(examineState(path).loss).toMatch(/missing from/);
    await expectProblem(backupFile(path, emptyDirectory()), 'storage_unusable');
    expect(filesOf(path)).toEqual(before);
    const store = await openScratchStore(path, { acceptLoss: true });
    const kept = (await store.list(Widget)).items.length;
    expect(kept).toBeLessThan(12);
    const { metadata } = await store.create(Widget, widget('next'));
    expect(Number(metadata.resourceVersion)).toBeGreaterThan(head);
    await store.close();
    expect(examineState(path)).toEqual({ inUse: false });
    const again = await openScratchStore(path);
    expect((await again.list(Widget)).items).toHaveLength(kept + 1);
    await again.close();
  });

  it('was damaged reports how many changes are lost, and since when', async () => {
    const { path } = await crashedState(12);
    flipByte(`${path}-wal`, readFileSync(`${path}-wal`).length - 100);
    expect(examineState(path).loss).toMatch(
      /^the last acknowledged change is missing from .*, made after \d{4}-\d\d-\d\dT\S+Z and up to \d{4}-\d\d-\d\dT\S+Z: its log is damaged/,
    );
  });

  it('lost changes makes watchers start over, and completes unfinished garbage collection', async () => {
    const live = scratchPath();
    const store = await openScratchStore(live);
    const owner = await store.create(Widget, widget('owner'));
    await store.create(Gadget, gadget('dependent', { ownerReferences: [ownedBy(owner)] }));
    await store.delete(Widget, 'owner');
    const path = emptyDirectory();
    const lost = await store.create(Widget, widget('lost'));
    for (const suffix of ['', '-wal', '.head']) copyFileSync(`${live}${suffix}`, `${path}${suffix}`);
    await store.close();
    flipByte(`${path}-wal`, readFileSync(`${path}-wal`).length - 100);
    const after = await openScratchStore(path, { acceptLoss: true });
    await vi.waitFor(
      async () => {
        expect(await after.get(Gadget, 'dependent')).toBeUndefined();
      },
      { timeout: 20_000 },
    );
    await after.create(Widget, widget('next'));
    await expectProblem(
      eventsUntil(after, Widget, { from: String(Number(lost.metadata.resourceVersion) - 1) }, () => true),
      'expired',
    );
    const { resourceVersion } = await after.list(Widget);
    const seen = eventsUntil(after, Widget, { from: resourceVersion }, () => true);
    await after.create(Widget, widget('last'));
    expect(names((await seen).map(({ object }) => object))).toEqual(['last']);
    await after.close();
  });
});

describe('a restore', () => {
  it('does not use versions again that the replaced state had reached', async () => {
    const path = scratchPath();
    const store = await openScratchStore(path);
    await store.create(Widget, widget('a'));
    const backup = emptyDirectory();
    await store.backup(backup);
    const later = await store.create(Widget, widget('b'));
    await store.close();
    restoreFile(backup, path, { replace: true });
    const restored = await openScratchStore(path);
    expect(names((await restored.list(Widget)).items)).toEqual(['a']);
    const { metadata } = await restored.create(Widget, widget('c'));
    expect(Number(metadata.resourceVersion)).toBeGreaterThan(Number(later.metadata.resourceVersion));
    await expectProblem(
      eventsUntil(restored, Widget, { from: String(Number(later.metadata.resourceVersion) - 1) }, () => true),
      'expired',
    );
    await restored.close();
  });
});

async function closedState(): Promise<string> {
  const path = scratchPath();
  const store = await openScratchStore(path);
  await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      store.create(Widget, {
        metadata: { name: `w${index}` },
        spec: { size: index, parts: ['one', `unmistakable-${index}-`] },
      }),
    ),
  );
  await store.close();
  return path;
}

describe('a damaged page', () => {
  const garble = (path: string) => {
    const bytes = readFileSync(path);
    const middle = Math.floor(bytes.length / 8192) * 4096;
    writeFileSync(path, bytes.fill(0xa5, middle, middle + 4096));
  };
  /** In the content of a page, where SQLite itself would not notice it. */
  const alter = (path: string) => {
    const bytes = readFileSync(path);
    for (let at = bytes.indexOf('unmistakable-77-'); at >= 0; at = bytes.indexOf('unmistakable-77-', at + 1))
      bytes.write('Q', at);
    writeFileSync(path, bytes);
  };

  it.each([
    ['overwritten', garble],
    ['altered by one byte', alter],
  ])('that was %s is found when the state is opened, and the message has a remedy', async (_, harm) => {
    const path = await closedState();
    harm(path);
    const before = filesOf(path);
    const told = await refusal(openScratchStore(path));
    expect(told).toMatch(
      /state\.db is damaged: .*; stop the server and restore a backup: unikorn restore <folder> --replace/,
    );
    expect(told).not.toMatch(/restart/);
    expect(filesOf(path)).toEqual(before);
    await expectProblem(backupFile(path, emptyDirectory()), 'storage_unusable');
  });

  it('of a large state is found while it is used, and reported by the readiness probe', async () => {
    const path = await closedState();
    alter(path);
    const log: string[] = [];
    const telemetry = silentTelemetry();
    vi.spyOn(telemetry.log, 'error').mockImplementation(
      (...said: unknown[]) => void log.push(said.map(String).join(' ')),
    );
    const store = await openScratchStore(path, { promptExamination_bytes: 0, telemetry });
    const verdict = () =>
      store.probe().then(
        () => 'writable',
        (error: unknown) => (isProblem(error, 'storage_unusable') ? error.message : String(error)),
      );
    await vi.waitFor(
      async () => {
        expect(await verdict()).toMatch(/is damaged: w77 of widgets.* does not match its checksum; .*restore a backup/);
      },
      { timeout: 20_000 },
    );
    expect(log.join()).toMatch(/is damaged/);
    await store.close();
  });

  it('is not reported for an intact state, also a large one', async () => {
    const store = await openScratchStore(await closedState(), { promptExamination_bytes: 0 });
    await store.probe();
    await store.close();
  });
});
