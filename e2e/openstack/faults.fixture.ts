import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';

import { isProviderFailure, ProviderFailure, type CloudProvider } from '../../packages/region/src/provider/index.ts';
import { chooseExternalNetwork } from '../../packages/region/src/providers/openstack/external-networks.ts';
import { OpenstackIdentities } from '../../packages/region/src/providers/openstack/identities.ts';
import {
  openstackKinds,
  openstackProvider,
  OpenstackRegion,
} from '../../packages/region/src/providers/openstack/index.ts';
import { OpenstackLoadBalancers } from '../../packages/region/src/providers/openstack/load-balancers.ts';
import { networkSettings } from '../../packages/region/src/providers/openstack/network-settings.ts';
import { withConfirmedRemovals } from '../../packages/region/src/regions/confirmed-removals.ts';
import { access } from './cloud.fixture.ts';
import { regionSecret } from './provider.fixture.ts';
import { openProxy, type Fault, type Line, type Plan, type ProxiedCall } from './proxy.fixture.ts';

/** A provider that can also make load balancers of another driver, which completes every change at once. */
export interface Provider extends CloudProvider {
  readonly swiftLoadBalancers: CloudProvider['loadBalancers'];
}

/** A process with a provider, whose calls go through the proxy. */
interface Process {
  readonly provider: Provider;
  readonly died: Line['died'];
}

const undisturbed: Plan = { choose: () => undefined, happened: () => undefined };

/** A region whose processes can be disturbed and killed. All of them share one store. */
export async function openFaultyRegion() {
  const store = openMemoryStore({ world: systemWorld, kinds: openstackKinds });
  const regionId = systemWorld.uuid();
  const secret = await regionSecret();
  const proxy = await openProxy(access.authUrl);
  const opened: OpenstackRegion[] = [];
  const network = { externalNetworks: { selector: { tags: [access.externalNetworkTag] } } };

  function start(plan: Plan = undisturbed): Process {
    const { authUrl, died } = proxy.line(plan);
    const region = new OpenstackRegion({
      regionId,
      store,
      world: systemWorld,
      telemetry: silentTelemetry(),
      settings: { endpoint: authUrl, regionName: access.region, network },
      secret: () => Promise.resolve(secret),
    });
    opened.push(region);
    const loadBalancers = new OpenstackLoadBalancers({
      world: systemWorld,
      tenants: new OpenstackIdentities(region).users,
      externalNetworkId: ({ session }) => chooseExternalNetwork(session, networkSettings(network)),
      driver: () => Promise.resolve('ovn'),
    });
    const plain = openstackProvider(region);
    const swift = withConfirmedRemovals({ ...plain, loadBalancers }, systemWorld);
    const provider = { ...withConfirmedRemovals(plain, systemWorld), swiftLoadBalancers: swift.loadBalancers };
    return { provider, died };
  }

  return {
    start,
    close: async () => {
      await proxy.close();
      for (const region of opened) region.close().catch(() => undefined);
      await store.close();
    },
  };
}

export type FaultyRegion = Awaited<ReturnType<typeof openFaultyRegion>>;

/** One question to a provider; it is asked again as long as the answer is not `done`. */
export type Question = (provider: Provider) => Promise<'done' | 'pending'>;

/** A call of a method. One that is made twice by one attempt counts as two. */
export interface NamedCall extends ProxiedCall {
  /** Such as `POST /v2.0/networks`. The second of the same label has ` (2)` behind it. */
  readonly name: string;
}

/** Decides which calls of one method go wrong. */
export interface Trouble {
  choose(call: NamedCall): Fault | undefined;
  happened(call: NamedCall): void;
}

export const noTrouble: Trouble = { choose: () => undefined, happened: () => undefined };

/** Calls that differ each time, for example by a fresh password, are not disturbed for ever. */
const bound = 5;

/** Each call goes wrong the first time that it is made, so every attempt gets further than the one before. */
export function everyCall(fault: (call: NamedCall) => Fault): Trouble {
  const done = new Set<string>();
  const often = new Map<string, number>();
  return {
    choose: (call) => (done.has(call.key) || (often.get(call.label) ?? 0) >= bound ? undefined : fault(call)),
    happened: ({ key, label }) => {
      done.add(key);
      often.set(label, (often.get(label) ?? 0) + 1);
    },
  };
}

/** One call goes wrong, once. It has a name and no number: calls that are made side by side come in any order. */
export function oneCall(name: string | undefined, fault: Fault): Trouble {
  let isOver = false;
  return {
    choose: (call) => (!isOver && call.name === name ? fault : undefined),
    happened: () => {
      isOver = true;
    },
  };
}

/** The calls that were disturbed and how. */
export class Tally {
  readonly #seen = new Set<string>();
  /** All faults that took place. */
  total = 0;

  add(method: string, call: string, fault: Fault): void {
    this.total++;
    this.#seen.add(`${method}: ${call}: ${fault}`);
  }

  has(method: string, call: string, fault: Fault): boolean {
    return this.#seen.has(`${method}: ${call}: ${fault}`);
  }

  /** Of method, call and fault. */
  get combinations(): number {
    return this.#seen.size;
  }
}

/** Failures that may end an attempt after the faults are over: the cloud is still busy with an earlier one. */
const passing = ['transient', 'unavailable', 'conflict', 'in_use'] as const;
const pause_ms = 1000;
/** For a call that never gets further. An amphora took 20 minutes to be complete, beside other tests. */
const patience_ms = 1800_000;

/** The process that asks. When it is killed, a fresh one takes its place, which must log in again. */
export class Asker {
  readonly #region: FaultyRegion;
  #process: Process | undefined;
  plan: Plan = undisturbed;

  constructor(region: FaultyRegion) {
    this.#region = region;
  }

  get process(): Process {
    this.#process ??= this.#region.start({
      choose: (call) => this.plan.choose(call),
      happened: (call, fault) => {
        this.plan.happened(call, fault);
      },
    });
    return this.#process;
  }

  bury(): void {
    this.#process = undefined;
  }
}

export interface Disturbance {
  readonly asker: Asker;
  readonly tally: Tally;
  /** For the tally, such as `networks.ensure`. */
  readonly method: string;
  readonly trouble: Trouble;
  /** Whether nothing asks again after an answer `done`, so that it must be true also where calls were disturbed. */
  readonly isFinal?: boolean;
}

/** The faults that took place, and the names of the different calls in their order. */
export interface Course {
  readonly faults: readonly string[];
  readonly calls: readonly string[];
}

/**
 * Asks until an answer is `done`; if it is not final, until no call of that attempt was disturbed. A killed process is
 * replaced by a fresh one, and the others go on.
 */
export async function askThroughFaults(
  question: Question,
  { asker, tally, method, trouble, isFinal = false }: Disturbance,
): Promise<Course> {
  const known = new Map<string, NamedCall>();
  const inAttempt = new Map<string, number>();
  const named = new Map<ProxiedCall, NamedCall>();
  const faults: string[] = [];
  const nameOf = (call: ProxiedCall): NamedCall => {
    const occurrence = (inAttempt.get(call.key) ?? 0) + 1;
    inAttempt.set(call.key, occurrence);
    const identity = `${occurrence} ${call.key}`;
    const earlier = [...known.values()].filter(({ label }) => label === call.label).length;
    const name = earlier === 0 ? call.label : `${call.label} (${earlier + 1})`;
    const found = known.get(identity) ?? { ...call, name };
    known.set(identity, found);
    named.set(call, found);
    return found;
  };
  asker.plan = {
    choose: (call) => trouble.choose(nameOf(call)),
    happened: (call, chosen) => {
      const found = named.get(call) ?? nameOf(call);
      trouble.happened(found);
      faults.push(`${chosen} at ${found.name}`);
      tally.add(method, found.name, chosen);
    },
  };
  let quietSince = systemWorld.monotonic_ms();
  let last = 'nothing yet';
  while (systemWorld.monotonic_ms() < quietSince + patience_ms) {
    const before = faults.length;
    inAttempt.clear();
    const { provider, died } = asker.process;
    const outcome = await Promise.race([attempt(question, provider), died]);
    if (outcome === 'died') {
      asker.bury();
      quietSince = systemWorld.monotonic_ms();
      continue;
    }
    const isQuiet = faults.length === before;
    last = outcome instanceof ProviderFailure ? describe(outcome) : outcome;
    if ((isQuiet || isFinal) && outcome === 'done')
      return { faults, calls: [...known.values()].map(({ name }) => name) };
    if (isQuiet && outcome instanceof ProviderFailure && !isProviderFailure(outcome, ...passing))
      throw new Error(`${method} does not recover: ${last} [${faults.join(', ')}]`, { cause: outcome });
    if (isQuiet) await systemWorld.sleep(pause_ms);
    else quietSince = systemWorld.monotonic_ms();
  }
  throw new Error(`${method} is still not complete: ${last} [${faults.join(', ')}]`);
}

async function attempt(question: Question, provider: Provider): Promise<'done' | 'pending' | ProviderFailure> {
  try {
    return await question(provider);
  } catch (error) {
    if (error instanceof ProviderFailure) return error;
    throw error;
  }
}

function describe(failure: ProviderFailure): string {
  return `${failure.kind}: ${failure.message} (${failure.cause instanceof Error ? failure.cause.message : ''})`;
}
