import { ApiError, dataOf, type Unikorn } from '@unikorn/sdk';

import { addressOf, type Kept } from '../contexts/contexts.ts';
import { findChosen, type Chosen } from '../contexts/defaults.ts';
import type { Source } from '../contexts/place.ts';
import { whoIs, type Who } from '../login/who.ts';
import { nounNamed } from '../nouns/index.ts';
import type { Named, Scope } from '../nouns/noun.ts';
import { openFindings } from '../operators/open-findings.ts';
import { unfinishedSagas } from '../operators/unfinished.ts';
import { reasonOf, statusOf } from '../output/view.ts';
import type { Quota } from '../quota.ts';
import { list } from '../resources.ts';
import { answersOf, type Answers } from '../services.ts';
import type { Session } from '../session.ts';
import { localState, type LocalState } from './local-state.ts';

/** The status of a control plane, as far as the caller may see it. */
export interface Status {
  readonly url: string;
  readonly source: Source;
  readonly services: readonly { readonly name: string; readonly version: string }[];
  /** The services that do not answer. What only they know is missing. */
  readonly silent: Answers<unknown>['silent'];
  readonly who: Who;
  readonly about: Readonly<Partial<Record<Scope, Kept>>>;
  /** The number of instances in each state. Unknown if compute does not answer. */
  readonly instances?: Readonly<Record<string, number>>;
  readonly quotas?: readonly QuotaUse[];
  /** The resources with problems. */
  readonly problems: readonly Problem[];
  readonly local?: LocalState;
}

type QuotaUse = Pick<Quota, 'kind' | 'displayName' | 'format' | 'quantity' | 'used' | 'free'>;

export interface Problem {
  /** Such as `instance web-1`. */
  readonly what: string;
  readonly message: string;
}

export async function statusFor(session: Session): Promise<Status> {
  const { unikorn, place } = session;
  const who = await whoIs(session);
  const { answers: services, silent } = await answersOf(versionsIn(unikorn));
  const hasCompute = services.some(({ name }) => name === 'compute');
  const [chosen, instances, quotas, sagas, findings, local] = await Promise.all([
    findChosen(session),
    hasCompute ? list(session, nounNamed('instance')) : undefined,
    quotasOf(session),
    interruptedSagas(unikorn),
    hasCompute ? foundByMonitor(session) : [],
    place.source.kind === 'local' ? localState(place.source.directory) : undefined,
  ]);
  return {
    url: addressOf(place.endpoints),
    source: place.source,
    services,
    silent,
    who,
    about: Object.fromEntries(chosen.flatMap(({ scope, kept }) => (kept ? [[scope, kept] as const] : []))),
    ...(instances ? { instances: countByState(instances) } : {}),
    ...(quotas ? { quotas } : {}),
    problems: [
      ...silent.map(({ service, reason }) => ({ what: `service ${service}`, message: reason })),
      ...missingOf(chosen),
      ...(instances ?? []).filter(isBroken).map(problemOf),
      ...sagas,
      ...findings,
    ],
    ...(local ? { local } : {}),
  };
}

/** The version of each service. */
export function versionsOf(unikorn: Unikorn): Promise<Status['services']> {
  return Promise.all(Object.values(versionsIn(unikorn)));
}

/** By the names in commands and addresses; the responses use the names of the contract. */
function versionsIn({ identity, region, compute }: Unikorn) {
  const named = async (name: string, answer: Promise<{ readonly version: string }>) => ({
    name,
    version: (await answer).version,
  });
  return {
    identity: named('identity', dataOf(identity.GET('/api/version'))),
    region: named('region', dataOf(region.GET('/api/version'))),
    compute: named('compute', dataOf(compute.GET('/api/version'))),
  };
}

export function countByState(instances: readonly Named[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const instance of instances) {
    const state = stateOf(instance);
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].toSorted(([one], [other]) => one.localeCompare(other)));
}

/** The power state of a provisioned instance; its provisioning status otherwise. */
function stateOf(instance: Named): string {
  const noun = nounNamed('instance');
  const power = noun.columns.find(({ header }) => header === 'POWER')?.value(instance);
  return instance.metadata.provisioningStatus === 'provisioned' && typeof power === 'string'
    ? power.toLowerCase()
    : statusOf(noun, instance);
}

function isBroken({ metadata }: Named): boolean {
  return metadata.provisioningStatus === 'error';
}

function problemOf(instance: Named): Problem {
  return { what: `instance ${instance.metadata.name}`, message: reasonOf(nounNamed('instance'), instance) };
}

function missingOf(chosen: readonly Chosen[]): readonly Problem[] {
  return chosen
    .filter(({ kept }) => !kept)
    .map(({ scope, called }) => ({
      what: `${scope} ${called}`,
      message: `it no longer exists, or you may not see it; choose another: unikorn context set --${scope}`,
    }));
}

async function quotasOf(session: Session): Promise<readonly QuotaUse[] | undefined> {
  const organizationID = await session.optionalIdOf('organization');
  if (organizationID === undefined) return undefined;
  const answer = await unlessForbidden(
    dataOf(
      session.unikorn.identity.GET('/api/v1/organizations/{organizationID}/quotas', {
        params: { path: { organizationID } },
      }),
    ),
  );
  return answer?.quotas.map(({ kind, displayName, format, quantity, used, free }) => ({
    kind,
    displayName,
    format,
    quantity,
    used,
    free,
  }));
}

/** Sagas that were interrupted and are being completed or undone. Only operators see them. */
async function interruptedSagas(unikorn: Unikorn): Promise<readonly Problem[]> {
  const found = await unlessForbidden(unfinishedSagas(unikorn));
  return (found?.sagas ?? []).map(({ name, id, state, step, attempts, message }) => ({
    what: `saga ${name} ${id}`,
    message: [
      `${state}${step === undefined ? '' : ` at ${step}`}, tried ${attempts} times`,
      ...(message === undefined ? [] : [message]),
    ].join(': '),
  }));
}

/** Open problems that the monitor found. Only operators see them. */
async function foundByMonitor(session: Session): Promise<readonly Problem[]> {
  const open = await unlessForbidden(openFindings(session));
  return (open?.findings ?? []).map(({ checker, name, message }) => ({ what: `${checker} ${name}`, message }));
}

async function unlessForbidden<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  }
}
