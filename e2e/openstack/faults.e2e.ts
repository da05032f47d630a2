import { hash } from 'node:crypto';

import { systemWorld } from '@unikorn/core/world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { asAdministrator } from './cloud.fixture.ts';
import { Asker, askThroughFaults, everyCall, noTrouble, oneCall, openFaultyRegion, Tally } from './faults.fixture.ts';
import type { FaultyRegion, NamedCall, Trouble } from './faults.fixture.ts';
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
import { materialsOf, openStage, Stages } from './stage.fixture.ts';

/*
 * Calls of the cloud go wrong, and the process dies between them. Afterwards the provider is asked again, and an
 * administrator counts what there is.
 */

const [minute_ms, hour_ms] = [60_000, 3600_000];
/**
 * `every`: each way in which every call goes wrong. `all`: also each call alone. Or some cases, such as `drop` (every
 * call) and `kill:3` (the third call). Without it, a sample.
 */
const chosen = process.env['UNIKORN_FAULTS'];
/** The cases that were asked for one by one. Without a number, every call goes wrong. */
const asked = (chosen?.split(',') ?? []).map((text) => {
  const [name, number] = text.split(':');
  return { fault: faults.find((one) => one === name), ...(number === undefined ? {} : { number: Number(number) }) };
});
/** Always the same sample, unless another one is asked for. */
const seed = process.env['UNIKORN_SEED'] ?? '1';
/** Lives that go on at the same time, each in a project of its own. They mostly wait. */
const lanes = Number(process.env['UNIKORN_FAULT_LANES'] ?? 4);
const tally = new Tally();
let lives = 0;
let region: FaultyRegion;
let imageServer: Awaited<ReturnType<typeof serveImage>>;
let stages: Stages;

beforeAll(async () => {
  const call = await asAdministrator();
  region = await openFaultyRegion();
  imageServer = await serveImage();
  const materials = await materialsOf(call, imageServer.uri);
  stages = new Stages(lanes, () => openStage(region, call, materials));
});

afterAll(async () => {
  console.log(
    `${lives} lives, ${tally.total} faults in ${tally.combinations} combinations of method, call and fault; seed ${seed}`,
  );
  await region.close();
  await imageServer.close();
  if (inject('cloudIsShared')) await stages.close();
});

/** How the calls of one life go wrong. */
interface Case {
  readonly name: string;
  /** For each method of the life a new one. Gets the name of the call with the number below, if there is one. */
  readonly trouble: (method: string, call?: string) => Trouble;
  /** The number of the call that goes wrong, where it is one only. */
  readonly number?: number;
}

/** The names of the calls of each method. */
type Calls = ReadonlyMap<string, readonly string[]>;

/** Goes through all methods of a thing, and counts after each. Returns the calls of each method. */
async function live(make: Make, stage: Stage, { trouble, number = 0 }: Case, known?: Calls): Promise<Calls> {
  const made = new Map<string, readonly string[]>();
  const { steps, seen } = await make(stage);
  lives++;
  const asker = new Asker(region);
  const before = await seen();
  for (const { method, ask, wanted, optional = false, isFinal = false } of steps) {
    // Without a call of this number it would be a life without faults.
    if (optional && number > (known?.get(method)?.length ?? number)) continue;
    const disturbance = { asker, tally, method, trouble: trouble(method, known?.get(method)?.[number - 1]), isFinal };
    const { calls, faults: happened } = await askThroughFaults(ask, disturbance);
    made.set(method, calls);
    if (wanted)
      expect(await seen(), `after ${method} [${happened.join(', ')}]`).toEqual([...before, ...wanted].toSorted());
  }
  return made;
}

/** Lets a case happen in a life of its own, as soon as a project is free for it. */
async function liveOnce({ name, make }: Sort, one: Case, known?: Calls): Promise<Calls> {
  return stages.use(name, async (stage) => {
    const start_ms = systemWorld.monotonic_ms();
    const end = () => `${Math.round((systemWorld.monotonic_ms() - start_ms) / 1000)} s`;
    try {
      const calls = await live(make, stage, one, known);
      console.log(`${name}: ${one.name}: passed in ${end()}`);
      return calls;
    } catch (error) {
      console.log(`${name}: ${one.name}: failed after ${end()}: ${messageOf(error)}`);
      throw error;
    }
  });
}

/** Lets each case happen. All failures are told together. */
async function liveAll(sort: Sort, cases: readonly Case[], known?: Calls): Promise<void> {
  const ended = await Promise.allSettled(cases.map((one) => liveOnce(sort, one, known)));
  const failures = ended.flatMap((one, index) =>
    one.status === 'fulfilled' ? [] : [`${cases[index]?.name}: ${messageOf(one.reason)}`],
  );
  expect(failures, `of ${cases.length} cases`).toEqual([]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const undisturbed: Case = { name: 'no call', trouble: () => noTrouble };

/** Every call goes wrong the first time, in this way, or each in one that the seed chooses. */
function compound(fault: Fault | 'any'): Case {
  const choose = (method: string) => (call: NamedCall) => (fault === 'any' ? drawn(method, call.name) : fault);
  return { name: `every call: ${fault}`, trouble: (method) => everyCall(choose(method)) };
}

function single(fault: Fault, number: number): Case {
  return { name: `${fault}:${number}`, number, trouble: (_, call) => oneCall(call, fault) };
}

/** The same for the same call, whatever happened before. */
function drawn(...call: readonly string[]): Fault {
  const rank = hash('sha1', [seed, ...call].join(' '), 'buffer').readUInt32BE();
  return faults[rank % faults.length] ?? 'drop';
}

/** The single calls that were asked for, such as `kill:3`; or each in each way that did not take place yet. */
function singles(calls: Calls): readonly Case[] {
  if (chosen === 'every') return [];
  if (chosen !== 'all')
    return asked.flatMap(({ fault, number }) => (fault && number !== undefined ? [single(fault, number)] : []));
  const most = Math.max(...[...calls.values()].map(({ length }) => length));
  const numbers = Array.from({ length: most }, (_, index) => index + 1);
  return faults
    .flatMap((fault) => numbers.map((number) => ({ fault, number })))
    .filter(({ fault, number }) => [...calls].some((entry) => isMissing(entry, fault, number)))
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

/** The cases in which every call goes wrong: those of the sample, or all, or those that were asked for. */
function compounds({ sample }: Sort): readonly Case[] {
  if (chosen === undefined) return sample.map(compound);
  if (chosen === 'every' || chosen === 'all') return [...faults, 'any' as const].map(compound);
  return asked.flatMap(({ fault, number }) => (number === undefined ? [compound(fault ?? 'any')] : []));
}

interface Sort {
  readonly name: string;
  readonly make: Make;
  /** The lives in a sample, in which every call goes wrong. */
  readonly sample: readonly (Fault | 'any')[];
}

/** Those whose lives take longest come first, so that the others end beside them. */
const sorts: readonly Sort[] = [
  // One life takes minutes, so it is in no sample.
  { name: 'a load balancer of amphorae', make: aLoadBalancer, sample: [] },
  { name: 'a load balancer of OVN', make: aSwiftLoadBalancer, sample: ['any'] },
  { name: 'a server', make: aServer, sample: ['any'] },
  { name: 'a network', make: aNetwork, sample: ['any'] },
  { name: 'a snapshot', make: aSnapshot, sample: ['any'] },
  { name: 'an identity', make: anIdentity, sample: ['any', 'kill'] },
  { name: 'a security group', make: aSecurityGroup, sample: ['any', 'kill'] },
  { name: 'an image', make: anImage, sample: ['any', 'kill'] },
  { name: 'the catalogue', make: aCatalogue, sample: ['any'] },
];
const timeout = chosen === undefined ? 30 * minute_ms : 8 * hour_ms;

describe.concurrent('although its calls go wrong, there is exactly one, and nothing after its removal:', () => {
  it.for(chosen === undefined ? sorts.filter(({ sample }) => sample.length > 0) : sorts)(
    '$name',
    { timeout },
    async (sort) => {
      const first = chosen === undefined ? undefined : liveOnce(sort, undisturbed);
      const [calls] = await Promise.all([first, liveAll(sort, compounds(sort))]);
      if (!calls) return;
      const alone = singles(calls);
      if (alone.length > 0) console.log(`${sort.name}: ${alone.map(({ name }) => name).join(' ')}`);
      await liveAll(sort, alone, calls);
    },
  );
});
