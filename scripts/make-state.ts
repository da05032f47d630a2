/**
 * Makes a state directory of the present version, and says what is in it, for later versions to be tested with:
 *
 *     node scripts/run.mjs scripts/make-state.ts e2e/product/states/v2
 *
 * See e2e/product/states/README.md.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';

import { readFacts, settled } from '../e2e/product/states/facts.fixture.ts';
import { burst, furnishState, leaveUnfinished, type Furnished } from '../e2e/product/states/furnish.fixture.ts';
import { copyOfState, serveState } from '../e2e/product/states/opened.fixture.ts';

const [target] = process.argv.slice(2);
if (target === undefined || existsSync(target))
  throw new Error('give the new folder as an argument, such as e2e/product/states/v2');

const scratch = mkdtempSync(join(tmpdir(), 'unikorn-make-state-'));
const main = join(import.meta.dirname, '../packages/unikorn/src/main.ts');

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** The unfinished sagas in a state without a server. */
function unfinishedSagas(state: string): readonly string[] {
  const database = new DatabaseSync(join(state, 'state.db'));
  const rows = database
    .prepare(
      "SELECT objects.data AS data FROM objects JOIN kinds ON kinds.number = objects.kind WHERE kinds.id LIKE '%Saga%' OR kinds.id LIKE '%sagas%'",
    )
    .all();
  database.close();
  return rows.map(({ data }) => (JSON.parse(String(data)) as { readonly spec: { readonly saga: string } }).spec.saga);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function furnished(state: string): Promise<Furnished> {
  const first = await serveState(state);
  const made = await furnishState(first);
  await first.end('SIGTERM');
  execFileSync(process.execPath, [main, 'password', 'alice@acme.example', '--yes', '--state', state], {
    stdio: 'pipe',
  });
  return made;
}

/** Kills a server in the middle of many operations, until the state contains unfinished sagas. */
async function killed(
  base: string,
  made: Furnished,
): Promise<{ readonly state: string; readonly madeAt: string; readonly sagas: readonly string[] }> {
  for (let round = 1; round <= 60; round += 1) {
    const state = join(scratch, `round-${round}`);
    cpSync(base, state, { recursive: true });
    const served = await serveState(state);
    await leaveUnfinished(served, made);
    await pause(1_500);
    burst(served, made);
    await pause(round * 4);
    await served.end('SIGKILL');
    const madeAt = new Date().toISOString();
    const sagas = unfinishedSagas(state);
    say(`round ${round}: ${sagas.length} unfinished (${sagas.join(', ')})`);
    if (new Set(sagas).size >= 3) return { state, madeAt, sagas };
    rmSync(state, { recursive: true });
  }
  throw new Error('no round was killed in the middle of a saga');
}

/** Copies the files of the state, and compresses them. */
function keep(state: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(state, 'state.db'));
  database.exec('PRAGMA wal_checkpoint(TRUNCATE); VACUUM');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  for (const file of ['credentials.json', 'encryption.key']) cpSync(join(state, file), join(folder, file));
  writeFileSync(join(folder, 'state.db.gz'), gzipSync(readFileSync(join(state, 'state.db')), { level: 9 }));
}

try {
  const base = join(scratch, 'base');
  const made = await furnished(base);
  say('furnished');
  const { state, ...death } = await killed(base, made);
  keep(state, join(target, 'state'));
  const copy = copyOfState(target);
  const served = await serveState(copy.path);
  await settled(served.ask);
  const facts = await readFacts(served.ask, { ...death, tokens: made.tokens, gone: made.gone });
  await served.end('SIGTERM');
  copy.remove();
  writeFileSync(join(target, 'facts.json'), `${JSON.stringify(facts, undefined, 1)}\n`);
  say(`made ${target}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
