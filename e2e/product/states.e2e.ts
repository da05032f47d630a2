import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { differences, forgotten, unexplained } from './states/comparison.fixture.ts';
import { allowed } from './states/differences.fixture.ts';
import { readFacts, settled, underWay, type Facts } from './states/facts.fixture.ts';
import { copyOfState, serveState, type Ask, type ServedState } from './states/opened.fixture.ts';
import { clearEverything, leftovers } from './states/clearing.fixture.ts';
import { refusals } from './states/refusals.fixture.ts';

const folder = join(import.meta.dirname, 'states');
const kept = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

interface Quota {
  readonly quantity: number;
  readonly used: number;
  readonly free: number;
  readonly committed: number;
  readonly reserved: number;
  readonly allocations: Readonly<Record<string, { readonly committed: number; readonly reserved: number }>>;
}

/** The numbers of every quota, without descriptions. */
function charged({ said }: Facts): object {
  const numbers = ({ quantity, used, free, committed, reserved, allocations }: Quota) => ({
    quantity,
    used,
    free,
    committed,
    reserved,
    allocations: Object.fromEntries(
      Object.entries(allocations).filter(([, share]) => share.committed + share.reserved > 0),
    ),
  });
  const quotas = Object.entries(said['quotas'] ?? {}) as readonly [string, Readonly<Record<string, Quota>>][];
  return Object.fromEntries(
    quotas.map(([organization, kinds]) => [
      organization,
      Object.fromEntries(Object.entries(kinds).map(([kind, quota]) => [kind, numbers(quota)])),
    ]),
  );
}

/** Deletions that should have been refused, but were accepted. */
async function accepted(ask: Ask, deletions: ReturnType<typeof refusals>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { service, path, because } of deletions) {
    const { status } = await ask(service, 'DELETE', path);
    if (status !== 403 && status !== 409) found.push(`${because}, but its deletion was answered with ${status}`);
  }
  return found;
}

/** User data by instance. */
function userData({ said }: Facts): readonly (readonly [string, string])[] {
  const instances = Object.entries(said['instances'] ?? {}) as readonly [
    string,
    { readonly spec: { readonly userData?: string } },
  ][];
  return instances.flatMap(([id, { spec }]) => (spec.userData === undefined ? [] : [[id, spec.userData] as const]));
}

/** Protects against hanging tests; no test takes this long. */
const hours_ms = 600_000;

it('there are states of earlier versions', () => {
  expect(kept).toContain('v1');
});

describe.each(kept)('a state directory of the version %s, opened by the present one', (version) => {
  const before = JSON.parse(readFileSync(join(folder, version, 'facts.json'), 'utf8')) as Facts;
  const copy = copyOfState(join(folder, version));
  let served: ServedState;
  let now: Facts;

  beforeAll(async () => {
    served = await serveState(copy.path);
    await settled(served.ask);
    now = await readFacts(served.ask, before, Object.keys(before.said['organizations'] ?? {}));
  }, hours_ms);

  afterAll(async () => {
    await served.end('SIGTERM');
    copy.remove();
  }, hours_ms);

  it('was made by a process that died in the middle of sagas', () => {
    expect(before.sagas.length).toBeGreaterThan(1);
  });

  it('reads the same, except for the listed differences', () => {
    expect(unexplained(differences(before, now), allowed[version] ?? [])).toEqual({ unexpected: [], stale: [] });
  });

  it('charges exactly the same', () => {
    expect(charged(now)).toEqual(charged(before));
  });

  it('keeps the entries of all histories, also of deleted instances', () => {
    expect(Object.keys(before.said['histories'] ?? {})).toEqual(expect.arrayContaining(Object.keys(before.gone)));
    expect(forgotten(before, now)).toEqual([]);
  });

  it('gives user data back as it was sent', () => {
    expect(userData(before).length).toBeGreaterThan(1);
    expect(userData(now)).toEqual(userData(before));
  });

  it('has no unencrypted user data in any object, except in unfinished sagas', () => {
    const database = new DatabaseSync(join(copy.path, 'state.db'), { readOnly: true });
    const objects = database.prepare('SELECT name, data FROM objects WHERE data NOT LIKE \'%"kind":"Saga"%\'').all();
    database.close();
    expect(objects.length).toBeGreaterThan(100);
    const secrets = userData(before).map(([, text]) => text);
    expect(
      objects.filter(({ data }) => secrets.some((secret) => String(data).includes(secret))).map(({ name }) => name),
    ).toEqual([]);
  });

  it('still refuses to delete resources that are in use or protected', async () => {
    const asked = refusals(before);
    expect(asked.length).toBeGreaterThan(5);
    expect(await accepted(served.ask, asked)).toEqual([]);
    expect(await underWay(served.ask)).toEqual([]);
  });

  it(
    'leaves nothing when everything is deleted',
    async () => {
      const held = refusals(before).filter(({ because }) => because.includes('file storage'));
      expect(held.length).toBeGreaterThan(2);
      await clearEverything(served.ask, async () => {
        expect(await accepted(served.ask, held)).toEqual([]);
      });
      await served.end('SIGTERM');
      expect(await leftovers(copy.path)).toEqual([]);
    },
    hours_ms,
  );
});
