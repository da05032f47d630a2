import { afterEach, beforeEach, expect } from 'vitest';

import { failures, isProviderFailure, type FailureKind } from '../failure.ts';
import type { IdentityReference } from '../identity.ts';
import type { CloudProvider } from '../provider.ts';

/** Parts of the contract that a cloud may be unable to show. */
export const capabilities = ['servers', 'load balancers', 'images', 'file storages'] as const;
export type Capability = (typeof capabilities)[number];

/** What a provider brings to be tested. */
export interface ProviderHarness {
  open(): Promise<ProviderUnderTest>;
  /** What cannot be shown here, each with the reason. The suite lists them among its tests. */
  readonly cannot?: Readonly<Partial<Record<Capability, string>>>;
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
  /** The same cloud as a process that has just started sees it. */
  restarted(): CloudProvider;
  readonly materials: Materials;
  /** How many things do not fit on one page of a list, where lists have pages. */
  readonly several: number;
  /** A UUID that was never used before. */
  freshId(): string;
  /** Waits for a call, however time passes here. */
  run<T>(call: Promise<T>): Promise<T>;
  /** Lets the cloud get on with what it is doing. */
  pause(): Promise<void>;
  /** Makes a call that happens and whose answer never arrives. */
  lose(call: (provider: CloudProvider) => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

/** A provider, and an identity that is realised in it. */
export interface Stage extends ProviderUnderTest {
  readonly identity: IdentityReference;
}

/** A fresh stage for every test of the enclosing block. */
export function useStage(harness: ProviderHarness): () => Stage {
  let current: Stage | undefined;
  beforeEach(async () => {
    const under = await harness.open();
    const identity = freshIdentity(under);
    current = { ...under, identity };
    await insist(under, () => under.provider.identities.ensure(identity), isPresent);
  });
  afterEach(() => current?.close());
  return () => {
    if (!current) throw new Error('a stage is there while a test runs');
    return current;
  };
}

export function shows({ cannot = {} }: ProviderHarness, capability: Capability): boolean {
  return cannot[capability] === undefined;
}

export function freshIdentity(under: ProviderUnderTest): IdentityReference {
  return { id: under.freshId(), organizationId: under.freshId(), projectId: under.freshId() };
}

/** How often something is asked for before it counts as never coming. */
const patience = 1_000;

/**
 * Asks again, as a controller would, until the answer is good enough. Failures that asking again may help are borne.
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
  throw new Error(`the answer was never good enough: ${isGood.toString()}`);
}

/** The same with failures that may not be borne: for calls that must succeed as things are. */
export async function answer<T>(under: ProviderUnderTest, ask: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < patience; attempt++) {
    try {
      return await under.run(ask());
    } catch (error) {
      if (!isProviderFailure(error, 'transient', 'unavailable')) throw error;
    }
  }
  throw new Error('the call never came through');
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
