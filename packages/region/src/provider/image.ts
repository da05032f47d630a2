import type { DeepReadonly } from '@unikorn/core/kinds';
import { Type, type Static } from 'typebox';

import type { Removed } from './presence.ts';

export const Architecture = Type.Union([Type.Literal('x86_64'), Type.Literal('aarch64')]);
export type Architecture = Static<typeof Architecture>;

export const GpuVendor = Type.Union([Type.Literal('NVIDIA'), Type.Literal('AMD')]);

/** The description of an image at its creation. */
export const ImageDescription = Type.Object({
  /**
   * Chosen by the caller, so that a repeated request creates one image. A provider may use another id, which it
   * returns.
   */
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  /** Absent for a public image. */
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
  /** Minimum disk size of a server. */
  readonly size_gib: number;
  readonly state: 'pending' | 'creating' | 'ready' | 'failed';
  readonly createdAt: string;
  /** The principal that created it, if it is a snapshot. */
  readonly identityId?: string;
}

/** All given conditions must be true. An empty list of organizations matches nothing. */
export interface ImageQuery {
  /** Images of these organizations and public ones. */
  readonly availableTo?: readonly string[];
  readonly ownedBy?: readonly string[];
  readonly states?: readonly Image['state'][];
}

export interface Images {
  /** In order of name, then id. */
  list(query?: ImageQuery): Promise<readonly Image[]>;
  /** Returns the image before its data is available. */
  import(image: ImageDescription, uri: string): Promise<Image>;
  /** Throws `in_use` while servers run on it, and `permission` for the provider's own images. */
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
