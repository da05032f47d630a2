import { pino } from 'pino';
import { expect, it } from 'vitest';

import { waits } from '../../limits.ts';
import { capture, virtualWorld } from '../../testing/index.ts';
import { refusalOf, unreachable } from './failure.ts';
import { Outages } from './outages.ts';

const listed = 'the list of widgets for the cache';
const watched = 'the watch of gadgets';

const refusal = (verb: string, resource: string) =>
  refusalOf(
    {
      status: 403,
      body: {
        kind: 'Status',
        code: 403,
        message: `${resource}.example.com is forbidden: User "system:serviceaccount:cloud:region-api" cannot ${verb} resource "${resource}" in API group "example.com" in the namespace "cloud"`,
      },
      length: 0,
    },
    { kind: resource },
  );

function stage() {
  const world = virtualWorld();
  const lines: string[] = [];
  const outages = new Outages(world, pino({ base: null, timestamp: false }, capture(lines)));
  /** The lines since the last call: level and message. */
  const said = () =>
    lines.splice(0).map((line) => {
      const { level, msg } = JSON.parse(line) as { readonly level: number; readonly msg: string };
      return `${level === 40 ? 'warn' : 'info'}: ${msg}`;
    });
  return { world, outages, said };
}

const missing =
  'the service account region-api of the namespace cloud may not list widgets.example.com in the namespace cloud: add the verb to the Role region-api; the chart of this version has it (templates/rbac.yaml), so upgrade the release';

it('a missing right is named when it begins, with what to do, then every few minutes, and when it is there', async () => {
  const { world, outages, said } = stage();
  outages.failed(listed, refusal('list', 'widgets'));
  expect(said()).toEqual([`warn: ${listed} failed and will be repeated: ${missing}`]);
  for (let passed_ms = 0; passed_ms < waits.repeatedWarning_ms - 1_000; passed_ms += 1_000) {
    await world.advance(1_000);
    outages.failed(listed, refusal('list', 'widgets'));
  }
  expect(said()).toEqual([]);
  await world.advance(1_000);
  outages.failed(listed, refusal('list', 'widgets'));
  expect(said()).toHaveLength(1);
  outages.worked(listed);
  outages.worked(listed);
  expect(said()).toEqual([`info: ${listed} works again. It failed: ${missing}`]);
});

it('each missing right is named', () => {
  const { outages, said } = stage();
  outages.failed(listed, refusal('list', 'widgets'));
  outages.failed(watched, refusal('watch', 'gadgets'));
  expect(said()).toHaveLength(2);
});

it('an API server that does not answer is named once for all kinds, and its end after the last one works', () => {
  const { outages, said } = stage();
  for (const read of [listed, watched]) outages.failed(read, unreachable(new Error('reset')));
  expect(said()).toHaveLength(1);
  outages.worked(listed);
  expect(said()).toEqual([]);
  outages.worked(watched);
  expect(said()).toEqual([
    `info: ${watched} works again. It failed: the Kubernetes API server does not answer at the moment`,
  ]);
});

it('a cause that comes and goes is named once in a few minutes', async () => {
  const { world, outages, said } = stage();
  const flap = () => {
    outages.failed(listed, unreachable(new Error('reset')));
    outages.worked(listed);
  };
  flap();
  expect(said()).toHaveLength(2);
  flap();
  expect(said()).toEqual([]);
  await world.advance(waits.repeatedWarning_ms);
  flap();
  expect(said()).toHaveLength(2);
});

it('a read that fails for another cause is not said to work', () => {
  const { outages, said } = stage();
  outages.failed(listed, unreachable(new Error('reset')));
  outages.failed(listed, refusal('list', 'widgets'));
  expect(said().map((line) => line.slice(0, 4))).toEqual(['warn', 'warn']);
  outages.worked(listed);
  expect(said()).toEqual([`info: ${listed} works again. It failed: ${missing}`]);
});
