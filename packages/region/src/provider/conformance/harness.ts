import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';

import { failures, isProviderFailure, type FailureKind } from '../failure.ts';
import type { IdentityReference } from '../identity.ts';
import type { CloudProvider } from '../provider.ts';

/** Parts of the contract that a cloud may be unable to show. */
export const capabilities = ['servers', 'load balancers', 'images', 'file storages'] as const;
export type Capability = (typeof capabilities)[number];

/** The functions that a provider supplies for its tests. */
export interface ProviderHarness {
  open(): Promise<ProviderUnderTest>;
  /** What cannot be shown here, each with the reason. The suite lists them among its tests. */
  readonly cannot?: Readonly<Partial<Record<Capability, string>>>;
  /** Whether the tests of a block share one identity, because it takes long to create one. */
  readonly sharesIdentities?: boolean;
}

/** What servers and images can be made of. */
export interface Materials {
  readonly flavorId: string;
  readonly imageId: string;
  readonly otherImageId: string;
  /** Where the data of an image can be read. */
  readonly imageUri: string;
}

export interface ProviderUnderTest {
  readonly provider: CloudProvider;
  /** The same cloud, as a process that has just started sees it. */
  restarted(): CloudProvider;
  readonly materials: Materials;
  /** How many things do not fit on one page of a list, where lists have pages. */
  readonly several: number;
  /** A UUID that has never been used. */
  freshId(): string;
  /** Waits for a call, however time passes in this harness. */
  run<T>(call: Promise<T>): Promise<T>;
  /** Lets the cloud continue its work. */
  pause(): Promise<void>;
  /** Makes a call that takes effect and whose response is lost. */
  lose(call: (provider: CloudProvider) => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

/** A provider, and an identity that exists in it. */
export interface Stage extends ProviderUnderTest {
  readonly identity: IdentityReference;
}

/** A fresh stage for every test of the enclosing block, or one for all of them. */
export function useStage(harness: ProviderHarness): () => Stage {
  let current: Stage | undefined;
  const open = async () => {
    const under = await harness.open();
    const identity = freshIdentity(under);
    current = { ...under, identity };
    await insist(under, () => under.provider.identities.ensure(identity), isPresent);
  };
  const close = () => current?.close();
  if (harness.sharesIdentities === true) {
    beforeAll(open);
    afterAll(close);
  } else {
    beforeEach(open);
    afterEach(close);
  }
  return () => {
    if (!current) throw new Error('a stage exists while a test runs');
    return current;
  };
}

export function shows({ cannot = {} }: ProviderHarness, capability: Capability): boolean {
  return cannot[capability] === undefined;
}

export function freshIdentity(under: ProviderUnderTest): IdentityReference {
  return { id: under.freshId(), organizationId: under.freshId(), projectId: under.freshId() };
}

/** How often a call is repeated before the test fails. */
const patience = 1_000;

/**
 * Repeats a call, as a controller would, until the result satisfies the condition. Failures that can be retried are
 * ignored.
 */
export async function insist<T>(
  under: ProviderUnderTest,
  ask: () => Promise<T>,
  isGood: (answer: T) => boolean = () => true,
): Promise<T> {
  for (let attempt = 0; attempt < patience; attempt++) {
    try {
      const answer = await under.run(ask());
      if (isGood(answer)) return answer;
    } catch (error) {
      if (!isProviderFailure(error) || failures[error.kind].retry === 'never') throw error;
    }
    await under.pause();
  }
  throw new Error(`no result satisfied the condition: ${isGood.toString()}`);
}

/** The same, but failures that need a change of state are not ignored: for calls that must succeed in this state. */
export async function answer<T>(under: ProviderUnderTest, ask: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < patience; attempt++) {
    try {
      return await under.run(ask());
    } catch (error) {
      if (!isProviderFailure(error, 'transient', 'unavailable')) throw error;
    }
  }
  throw new Error('the call never succeeded');
}

export async function expectFailure(
  under: ProviderUnderTest,
  ask: () => Promise<unknown>,
  kind: FailureKind,
): Promise<void> {
  await expect(answer(under, ask)).rejects.toMatchObject({ name: 'ProviderFailure', kind });
}

export function isPresent({ state }: { readonly state: string }): boolean {
  return state === 'present';
}

export function isAbsent({ state }: { readonly state: string }): boolean {
  return state === 'absent';
}

/** Whether a list of images has exactly one, and it can be used. */
export function isOneReady(images: readonly { readonly state: string }[]): boolean {
  return images.length === 1 && images[0]?.state === 'ready';
}
