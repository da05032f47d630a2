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

const [minute_ms, hour_ms] = [60_000, 3600_000];
/** `all`, or some cases such as `drop` (every call) and `kill:3` (the third call). Without it, a sample. */
const chosen = process.env['UNIKORN_FAULTS'];
const isExhaustive = chosen === 'all';
const seed = Number(process.env['UNIKORN_SEED'] ?? systemWorld.now() % 1_000_000);
/** Lives that go on at the same time, each in a project of its own. */
const lanes = Number(process.env['UNIKORN_FAULT_LANES'] ?? (isExhaustive ? 3 : 2));
/** A sample begins no life after this time. CI can wait for four minutes, and the last lives need some of them. */
const sampleEnd_ms = systemWorld.monotonic_ms() + 2 * minute_ms;
const isOver = () => chosen === undefined && systemWorld.monotonic_ms() > sampleEnd_ms;
const tally = new Tally();
let lives = 0;
let leftOut = 0;
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
    `${lives} lives, ${tally.total} faults in ${tally.combinations} combinations of method, call and fault; ${leftOut} lives were left out to save time; seed ${seed}`,
  );
  await region.close();
  await imageServer.close();
  for (const stage of stages) await stage.close();
});

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
  for (const { method, ask, wanted, optional = false, isFinal = false } of steps) {
    // Without a call of this number it would be a life without faults.
    if (optional && number > (known?.get(method)?.length ?? number)) continue;
    const disturbance = { asker, tally, method, trouble: trouble(), isFinal };
    const { calls, faults: happened } = await askThroughFaults(ask, disturbance);
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
        if (isOver()) {
          leftOut++;
          continue;
        }
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
  return shuffled(every)
    .slice(0, sample)
    .map(({ fault, number }) => single(fault, number));
}

/**
 * Whether a call must still go wrong alone. A call that an attempt makes after it has made something is not reached
 * while every call goes wrong. A list that was stale together with the others must also be stale alone: only then the
 * others contradict it.
 */
function isMissing([method, names]: readonly [string, readonly string[]], fault: Fault, number: number): boolean {
  const name = names[number - 1];
  return name !== undefined && tally.has(method, name, fault) === (fault === 'stale');
}

interface Sort {
  readonly name: string;
  readonly make: Make;
  /** In a sample: so many lives with one fault, and these in which every call goes wrong. */
  readonly sample: { readonly singles: number; readonly every: readonly (Fault | 'any')[] };
}

const sorts: readonly Sort[] = [
  { name: 'the catalogue', make: aCatalogue, sample: { singles: 4, every: ['any'] } },
  { name: 'a security group', make: aSecurityGroup, sample: { singles: 4, every: ['kill', 'any'] } },
  { name: 'a network', make: aNetwork, sample: { singles: 2, every: ['kill', 'any'] } },
  { name: 'an identity', make: anIdentity, sample: { singles: 2, every: ['kill', 'any'] } },
  { name: 'an image', make: anImage, sample: { singles: 4, every: ['kill', 'any'] } },
  { name: 'a snapshot', make: aSnapshot, sample: { singles: 2, every: ['any'] } },
  { name: 'a server', make: aServer, sample: { singles: 2, every: ['kill', 'any'] } },
  { name: 'a load balancer of OVN', make: aSwiftLoadBalancer, sample: { singles: 2, every: ['any'] } },
  // One life takes minutes.
  { name: 'a load balancer of amphorae', make: aLoadBalancer, sample: { singles: 0, every: [] } },
];

/** A slow machine does not get to the end of a sample, so the order differs from run to run. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  const dice = virtualWorld(seed);
  const ranked = items.map((item) => ({ item, rank: dice.random() }));
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ item }) => item);
}

describe.each(chosen === undefined ? shuffled(sorts) : sorts)('$name exists once, and is gone,', ({ make, sample }) => {
  let calls: Calls | undefined;
  const timeout = chosen === undefined ? 15 * minute_ms : 8 * hour_ms;

  beforeAll(async () => {
    const [stage] = stages;
    if (!stage || isOver() || (chosen === undefined && sample.every.length === 0)) return;
    calls = await live(make, stage, { trouble: () => noTrouble });
    for (const [method, names] of calls) console.log(`${method}: ${names.join(', ')}`);
  });

  it('although every call of each method goes wrong once', { timeout }, async ({ skip }) => {
    const cases = compounds(sample.every);
    if (!calls || cases.length === 0) return skip('it is not in the sample');
    await liveAll(make, cases, calls);
  });

  it('although one call of each method goes wrong', { timeout }, async ({ skip }) => {
    const cases = calls ? singles(calls, sample.singles) : [];
    if (!calls || cases.length === 0) return skip('it is not in the sample');
    console.log(`${cases.length} cases: ${cases.map(({ name }) => name).join(' ')}`);
    await liveAll(make, cases, calls);
  });
});
