import { virtualWorld } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { asAdministrator } from './cloud.fixture.ts';
import { Asker, askThroughFaults, everyCall, noTrouble, oneCall, openFaultyRegion, Tally } from './faults.fixture.ts';
import type { FaultyRegion, Trouble } from './faults.fixture.ts';
import {
  aCatalogue,
  aLoadBalancer,
  aNetwork,
  anIdentity,
  anImage,
  aSecurityGroup,
  aServer,
  aSnapshot,
  aSwiftLoadBalancer,
  type Make,
  type Stage,
} from './lives.fixture.ts';
import { serveImage } from './provider.fixture.ts';
import { faults, type Fault } from './proxy.fixture.ts';
import { materialsOf, openStage } from './stage.fixture.ts';

/*
 * Calls of the cloud go wrong, and the process dies between them. Afterwards the provider is asked again, and an
 * administrator counts what there is.
 */

/** `all`, or some cases such as `drop` (every call) and `kill:3` (the third call). Without it, a sample. */
const chosen = process.env['UNIKORN_FAULTS'];
const isExhaustive = chosen === 'all';
const seed = Number(process.env['UNIKORN_SEED'] ?? systemWorld.now() % 1_000_000);
/** Lives that go on at the same time, each in a project of its own. */
const lanes = Number(process.env['UNIKORN_FAULT_LANES'] ?? (isExhaustive ? 3 : 2));
const tally = new Tally();
let lives = 0;
let region: FaultyRegion;
let imageServer: Awaited<ReturnType<typeof serveImage>>;
let stages: readonly Awaited<ReturnType<typeof openStage>>[];

beforeAll(async () => {
  const call = await asAdministrator();
  region = await openFaultyRegion();
  imageServer = await serveImage();
  const materials = await materialsOf(call, imageServer.uri);
  stages = await Promise.all(Array.from({ length: lanes }, () => openStage(region, call, materials)));
});

afterAll(async () => {
  console.log(
    `${lives} lives, ${tally.total} faults in ${tally.combinations} combinations of method, call and fault; seed ${seed}`,
  );
  await region.close();
  await imageServer.close();
  for (const stage of stages) await stage.close();
});

const hour_ms = 3600_000;

/** How the calls of one life go wrong. */
interface Case {
  readonly name: string;
  /** For each method of the life a new one. */
  readonly trouble: () => Trouble;
  /** The number of the call that goes wrong, where it is one only. */
  readonly number?: number;
}

/** The names of the calls of each method. */
type Calls = ReadonlyMap<string, readonly string[]>;

/** Goes through all methods of a thing, and counts after each. Returns the calls of each method. */
async function live(make: Make, stage: Stage, { trouble, number = 0 }: Omit<Case, 'name'>, known?: Calls) {
  const made = new Map<string, readonly string[]>();
  const { steps, seen } = await make(stage);
  lives++;
  const asker = new Asker(region);
  const before = await seen();
  for (const { method, ask, wanted, optional = false } of steps) {
    // Without a call of this number it would be a life without faults.
    if (optional && number > (known?.get(method)?.length ?? number)) continue;
    const { calls, faults: happened } = await askThroughFaults(ask, { asker, tally, method, trouble: trouble() });
    made.set(method, calls);
    if (wanted)
      expect(await seen(), `after ${method} [${happened.join(', ')}]`).toEqual([...before, ...wanted].toSorted());
  }
  return made;
}

/** Lets each case happen in a life of its own. All failures are told together. */
async function liveAll(make: Make, cases: readonly Case[], known: Calls): Promise<void> {
  const waiting = [...cases];
  const failures: string[] = [];
  await Promise.all(
    stages.map(async (stage) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        try {
          const start_ms = systemWorld.monotonic_ms();
          await live(make, stage, next, known);
          console.log(`${next.name}: passed in ${Math.round((systemWorld.monotonic_ms() - start_ms) / 1000)} s`);
        } catch (error) {
          failures.push(`${next.name}: ${error instanceof Error ? error.message : String(error)}`);
          console.log(failures.at(-1));
        }
      }
    }),
  );
  expect(failures, `of ${cases.length} cases`).toEqual([]);
}

/** Every call goes wrong the first time, in this way or in any. */
function compound(fault: Fault | 'any', index: number): Case {
  const dice = virtualWorld(seed + index);
  const any = () => faults[Math.floor(dice.random() * faults.length)] ?? 'drop';
  return { name: `every call: ${fault}`, trouble: () => everyCall(fault === 'any' ? any : () => fault) };
}

function single(fault: Fault, number: number): Case {
  return { name: `${fault}:${number}`, number, trouble: () => oneCall(number, fault) };
}

interface Asked {
  readonly fault: Fault | 'any';
  /** Absent for every call. */
  readonly number?: number;
}

/** The cases that were asked for, such as `drop` and `kill:3`. */
const asked = (isExhaustive ? [] : (chosen?.split(',') ?? [])).map((text): Asked => {
  const [name, number] = text.split(':');
  const fault: Fault | 'any' = faults.find((one) => one === name) ?? 'any';
  return { fault, ...(number === undefined ? {} : { number: Number(number) }) };
});

/** Those that were asked for, or all, or those of the sample. */
function compounds(sample: readonly (Fault | 'any')[]): readonly Case[] {
  const all = isExhaustive ? [...faults, 'any' as const] : sample;
  const ways = asked.length > 0 ? asked.flatMap(({ fault, number }) => (number === undefined ? [fault] : [])) : all;
  return ways.map(compound);
}

/** Those that were asked for; or as many as the sample has, chosen by the seed; or all that did not take place yet. */
function singles(calls: Calls, sample: number): readonly Case[] {
  if (asked.length > 0)
    return asked.flatMap(({ fault, number }) =>
      number === undefined || fault === 'any' ? [] : [single(fault, number)],
    );
  const most = Math.max(...[...calls.values()].map(({ length }) => length));
  const numbers = Array.from({ length: most }, (_, index) => index + 1);
  const every = faults.flatMap((fault) => numbers.map((number) => ({ fault, number })));
  if (isExhaustive)
    return every
      .filter(({ fault, number }) => [...calls].some((entry) => isMissing(entry, fault, number)))
      .map(({ fault, number }) => single(fault, number));
  const dice = virtualWorld(seed);
  const ranked = every.map((one) => ({ ...one, rank: dice.random() })).toSorted((a, b) => a.rank - b.rank);
  return ranked.slice(0, sample).map(({ fault, number }) => single(fault, number));
}

/** A call that an attempt makes after it has made something is not reached while every call goes wrong. */
function isMissing([method, names]: readonly [string, readonly string[]], fault: Fault, number: number): boolean {
  const name = names[number - 1];
  // A list can only be stale where it changes, and only lists can.
  return name !== undefined && fault !== 'stale' && !tally.has(method, name, fault);
}

describe.each<{ name: string; make: Make; sample: number; every: readonly (Fault | 'any')[] }>([
  { name: 'the catalogue', make: aCatalogue, sample: 4, every: ['any'] },
  { name: 'a security group', make: aSecurityGroup, sample: 8, every: ['drop', 'kill', 'any'] },
  { name: 'a network', make: aNetwork, sample: 4, every: ['drop', 'kill', 'any'] },
  { name: 'an identity', make: anIdentity, sample: 6, every: ['drop', 'kill', 'any'] },
  { name: 'an image', make: anImage, sample: 8, every: ['drop', 'kill', 'any'] },
  { name: 'a snapshot', make: aSnapshot, sample: 4, every: ['kill', 'any'] },
  { name: 'a server', make: aServer, sample: 4, every: ['kill', 'any'] },
  { name: 'a load balancer of OVN', make: aSwiftLoadBalancer, sample: 4, every: ['kill', 'any'] },
  { name: 'a load balancer of amphorae', make: aLoadBalancer, sample: 0, every: ['any'] },
])('$name exists once, and is gone,', ({ make, sample, every }) => {
  let calls: Calls;

  beforeAll(async () => {
    const [stage] = stages;
    if (stage) calls = await live(make, stage, { trouble: () => noTrouble });
    for (const [method, names] of calls) console.log(`${method}: ${names.join(', ')}`);
  });

  const timeout_ms = isExhaustive || asked.length > 0 ? 4 * hour_ms : 900_000;

  it('although every call of each method goes wrong once', { timeout: timeout_ms }, async ({ skip }) => {
    const cases = compounds(every);
    skip(cases.length === 0, 'no case was chosen');
    await liveAll(make, cases, calls);
  });

  it('although one call of each method goes wrong', { timeout: timeout_ms }, async ({ skip }) => {
    const cases = singles(calls, sample);
    skip(cases.length === 0, 'no case was chosen');
    console.log(`${cases.length} cases: ${cases.map(({ name }) => name).join(' ')}`);
    await liveAll(make, cases, calls);
  });
});
