import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';

import { isProviderFailure, ProviderFailure, type CloudProvider } from '../../packages/region/src/provider/index.ts';
import {
  openstackKinds,
  openstackProvider,
  OpenstackRegion,
} from '../../packages/region/src/providers/openstack/index.ts';
import { access } from './cloud.fixture.ts';
import { regionSecret } from './provider.fixture.ts';
import { openProxy, type Fault, type Line, type Plan, type ProxiedCall } from './proxy.fixture.ts';

/** A process with a provider, whose calls go through the proxy. */
interface Process {
  readonly provider: CloudProvider;
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

  function start(plan: Plan = undisturbed): Process {
    const { authUrl, died } = proxy.line(plan);
    const region = new OpenstackRegion({
      regionId,
      store,
      world: systemWorld,
      telemetry: silentTelemetry(),
      settings: {
        endpoint: authUrl,
        regionName: access.region,
        network: { externalNetworks: { selector: { tags: [access.externalNetworkTag] } } },
      },
      secret: () => Promise.resolve(secret),
    });
    opened.push(region);
    return { provider: openstackProvider(region), died };
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
export type Question = (provider: CloudProvider) => Promise<'done' | 'pending'>;

/** Which calls were disturbed and how, for the report of the suite. */
export class Tally {
  readonly #seen = new Set<string>();
  readonly #labels = new Map<string, Set<string>>();
  /** All faults that took place. */
  total = 0;

  add(method: string, { label }: ProxiedCall, fault: Fault): void {
    this.total++;
    this.#seen.add(`${method}: ${label}: ${fault}`);
  }

  /** A call that the method makes, disturbed or not. */
  know(method: string, { label }: ProxiedCall): void {
    const labels = this.#labels.get(method) ?? new Set();
    this.#labels.set(method, labels.add(label));
  }

  /** The calls of a method that were never disturbed in one of these ways. */
  missing(method: string, wanted: readonly Fault[]): readonly string[] {
    return [...(this.#labels.get(method) ?? [])].flatMap((label) =>
      wanted.map((fault) => `${method}: ${label}: ${fault}`).filter((one) => !this.#seen.has(one)),
    );
  }

  get combinations(): number {
    return this.#seen.size;
  }

  get calls(): number {
    return [...this.#labels.values()].reduce((sum, labels) => sum + labels.size, 0);
  }
}

/** Failures that may end an attempt after the faults are over: the cloud is still busy with an earlier one. */
const passing = ['transient', 'unavailable', 'conflict', 'in_use'] as const;
const pause_ms = 500;
const patience = 60;
/** Calls that differ each time, for example by a fresh password, are not disturbed for ever. */
const bound = 5;

export interface Disturbance {
  readonly region: FaultyRegion;
  readonly tally: Tally;
  /** For the tally, such as `networks.ensure`. */
  readonly method: string;
  /** The fault of each call that was not disturbed before; undefined for one that is not disturbed at all. */
  readonly fault: (call: ProxiedCall) => Fault | undefined;
}

/**
 * Asks until an answer is `done` and no call of that attempt was disturbed. Each call of the cloud is disturbed the
 * first time that it is made, so every attempt gets further than the one before. A killed process is replaced by a
 * fresh one, and the others go on.
 */
export async function askThroughFaults(
  question: Question,
  { region, tally, method, fault }: Disturbance,
): Promise<void> {
  const done = new Set<string>();
  const often = new Map<string, number>();
  let disturbed = 0;
  const plan: Plan = {
    choose: (call) => {
      tally.know(method, call);
      if (done.has(call.key) || (often.get(call.label) ?? 0) >= bound) return undefined;
      const chosen = fault(call);
      if (chosen === undefined) done.add(call.key);
      return chosen;
    },
    happened: (call, chosen) => {
      done.add(call.key);
      often.set(call.label, (often.get(call.label) ?? 0) + 1);
      disturbed++;
      tally.add(method, call, chosen);
    },
  };
  let process = region.start(plan);
  for (let quiet = 0; quiet < patience;) {
    const before = disturbed;
    const outcome = await Promise.race([attempt(question, process.provider), process.died]);
    if (outcome === 'died') {
      process = region.start(plan);
      continue;
    }
    const isQuiet = disturbed === before;
    if (isQuiet && outcome === 'done') return;
    if (isQuiet && outcome instanceof Error && !isProviderFailure(outcome, ...passing))
      throw new Error(`${method} does not recover: ${describe(outcome)}`, { cause: outcome });
    if (!isQuiet) continue;
    quiet++;
    await systemWorld.sleep(pause_ms);
  }
  throw new Error(`${method} is still not complete after ${patience} attempts without a fault`);
}

async function attempt(question: Question, provider: CloudProvider): Promise<'done' | 'pending' | ProviderFailure> {
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
