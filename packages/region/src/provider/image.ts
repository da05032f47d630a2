import type { DeepReadonly } from '@unikorn/core/kinds';
import { Type, type Static } from 'typebox';

import type { Removed } from './presence.ts';

export const Architecture = Type.Union([Type.Literal('x86_64'), Type.Literal('aarch64')]);
export type Architecture = Static<typeof Architecture>;

export const GpuVendor = Type.Union([Type.Literal('NVIDIA'), Type.Literal('AMD')]);

/** What is said about an image when it is made. */
export const ImageDescription = Type.Object({
  /**
   * Chosen by whoever asks, so that asking twice makes one. A provider may know the image by another id: the one it
   * answers with.
   */
  id: Type.String(),
  name: Type.String(),
  /** Absent for everybody's. */
  organizationId: Type.Optional(Type.String()),
  tags: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  architecture: Architecture,
  virtualization: Type.Union([Type.Literal('virtualized'), Type.Literal('baremetal'), Type.Literal('any')]),
  os: Type.Object({
    kernel: Type.Literal('linux'),
    family: Type.String(),
    distro: Type.String(),
    version: Type.String(),
    variant: Type.Optional(Type.String()),
    codename: Type.Optional(Type.String()),
  }),
  softwareVersions: Type.Record(Type.String(), Type.String()),
  gpu: Type.Optional(Type.Object({ vendor: GpuVendor, driver: Type.String(), models: Type.Array(Type.String()) })),
});
export type ImageDescription = DeepReadonly<Static<typeof ImageDescription>>;

export interface Image extends ImageDescription {
  /** The least disk a server needs for it. */
  readonly size_gib: number;
  readonly state: 'pending' | 'creating' | 'ready' | 'failed';
  readonly createdAt: string;
  /** Whose principal made it, if it is a snapshot. */
  readonly identityId?: string;
}

/** All that is given must hold. Organizations that are given but empty match nothing. */
export interface ImageQuery {
  /** Theirs and everybody's. */
  readonly availableTo?: readonly string[];
  readonly ownedBy?: readonly string[];
  readonly states?: readonly Image['state'][];
}

export interface Images {
  /** In order of name, then id. */
  list(query?: ImageQuery): Promise<readonly Image[]>;
  /** Answers with the image before its data is there. */
  import(image: ImageDescription, uri: string): Promise<Image>;
  /** Fails with `in_use` while servers run on it, and with `permission` for the provider's own images. */
  remove(id: string): Promise<Removed>;
}

/** Whether an image satisfies a query. */
export function isWanted({ organizationId, state }: Image, { availableTo, ownedBy, states }: ImageQuery): boolean {
  if (availableTo && organizationId !== undefined && !availableTo.includes(organizationId)) return false;
  if (ownedBy && (organizationId === undefined || !ownedBy.includes(organizationId))) return false;
  return !states || states.includes(state);
}

/** Images in order of name, then id. */
export function byName(images: readonly Image[]): readonly Image[] {
  return images.toSorted((a, b) => (`${a.name}\n${a.id}` < `${b.name}\n${b.id}` ? -1 : 1));
}
