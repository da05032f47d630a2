import { isDeepStrictEqual } from 'node:util';

import type { SpecOf } from '@unikorn/core/kinds';
import { formatPrefix, parsePrefix, type ServerRead } from '@unikorn/region/client';

import type { ComputeInstance } from '../kinds/index.ts';

/** What a change does to a running instance, from nothing to the worst. */
export const disruptions = ['none', 'in-place', 'restart', 'rebuild', 'recreate'] as const;
export type Disruption = (typeof disruptions)[number];

/** What of an instance its server is made by, in the form that two of them are compared in. */
export interface ServerWish {
  readonly flavorId: string;
  readonly imageId: string;
  readonly sshCertificateAuthorityId?: string | undefined;
  readonly publicIP: boolean;
  readonly securityGroups: readonly string[];
  readonly allowedSourceAddresses: readonly string[];
  readonly userData?: string | undefined;
}

interface Effect {
  readonly disruption: Disruption;
  /** What is gone afterwards. */
  readonly loses: readonly string[];
}

/** The private address is asked for again, and had unless another machine took it meanwhile. */
const everything = ['the root disk', 'the public address', 'the MAC address'];

/** What a change of each field does. Planner and controller both go by it, so what happens is what was planned. */
export const effects: Readonly<Record<keyof ServerWish, Effect>> = {
  flavorId: { disruption: 'recreate', loses: everything },
  sshCertificateAuthorityId: { disruption: 'recreate', loses: everything },
  imageId: { disruption: 'rebuild', loses: ['the root disk'] },
  publicIP: { disruption: 'in-place', loses: [] },
  securityGroups: { disruption: 'in-place', loses: [] },
  allowedSourceAddresses: { disruption: 'in-place', loses: [] },
  // Kept for the next time that the server is made; a guest reads it at its first boot only.
  userData: { disruption: 'in-place', loses: [] },
};

export interface Change extends Effect {
  readonly field: keyof ServerWish;
  readonly from: ServerWish[keyof ServerWish];
  readonly to: ServerWish[keyof ServerWish];
}

/** The server that an instance asks for. Nothing, empty and false are the same to a server, and so are two spellings of the same bytes. */
export function wishOf(spec: SpecOf<typeof ComputeInstance>): ServerWish {
  const { flavorId, imageId, networking = {}, sshCertificateAuthorityId, userData } = spec;
  return {
    flavorId,
    imageId,
    sshCertificateAuthorityId,
    publicIP: networking.publicIp ?? false,
    securityGroups: networking.securityGroupIDs ?? [],
    allowedSourceAddresses: (networking.allowedSourceAddresses ?? []).map(canonicalPrefix),
    userData: canonicalData(userData),
  };
}

/** The server that there is. */
export function standingOf({
  spec: { flavorId, imageId, networking = {}, userData },
  status: { sshCertificateAuthorityId },
}: ServerRead): ServerWish {
  return {
    flavorId,
    imageId,
    sshCertificateAuthorityId,
    publicIP: networking.publicIP ?? false,
    securityGroups: networking.securityGroups ?? [],
    allowedSourceAddresses: (networking.allowedSourceAddresses ?? []).map(canonicalPrefix),
    userData: canonicalData(userData),
  };
}

function canonicalPrefix(text: string): string {
  const prefix = parsePrefix(text);
  return prefix ? formatPrefix(prefix) : text;
}

function canonicalData(base64 = ''): string | undefined {
  return Buffer.from(base64, 'base64').toString('base64') || undefined;
}

const fields = [
  'flavorId',
  'sshCertificateAuthorityId',
  'imageId',
  'publicIP',
  'securityGroups',
  'allowedSourceAddresses',
  'userData',
] as const satisfies readonly (keyof ServerWish)[];

/** What is different, the worst first. */
export function changesBetween(from: ServerWish, to: ServerWish): readonly Change[] {
  return fields
    .filter((field) => !isDeepStrictEqual(from[field], to[field]))
    .map((field) => ({ field, from: from[field], to: to[field], ...effects[field] }));
}

/** What all of them together do: the worst that one of them does. */
export function disruptionOf(changes: readonly Pick<Change, 'disruption'>[]): Disruption {
  return changes.reduce<Disruption>(
    (worst, { disruption }) => (disruptions.indexOf(disruption) > disruptions.indexOf(worst) ? disruption : worst),
    'none',
  );
}
