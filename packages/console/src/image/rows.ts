import { useQueries } from '@tanstack/react-query';

import type { Image } from '@unikorn/sdk';

import { imageQuery, useRegions } from '../catalog/catalog.ts';
import type { Condition, Tone } from '../parts/status.tsx';
import type { Asked } from '../session/actions.ts';
import { useApi } from '../session/context.tsx';
import { words } from '../words/index.ts';

/** An image, and the region that has it. */
export interface Row {
  readonly image: Image;
  readonly regionId: string;
  readonly region: string;
}

/** The images of all regions of an organization. They have no stream, so they are read again and again. */
export function useImageRows(org: string): { readonly rows: readonly Row[] | undefined; readonly error: Error | null } {
  const api = useApi();
  const { data: regions, error } = useRegions(org);
  const lists = useQueries({
    queries: (regions ?? []).map(({ metadata }) => ({
      ...imageQuery(api, org, metadata.id),
      // The page shows what has just been asked for.
      staleTime: 0,
      refetchInterval: ({ state: { data } }: { readonly state: { readonly data: readonly Image[] | undefined } }) =>
        data?.some(({ status }) => status.state === 'pending' || status.state === 'creating') === true ? 2_000 : 20_000,
    })),
  });
  const known = regions !== undefined && lists.every(({ isPending }) => !isPending);
  const rows = (regions ?? []).flatMap(({ metadata }, index) =>
    (lists[index]?.data ?? []).map((image) => ({ image, regionId: metadata.id, region: metadata.name })),
  );
  return { rows: known ? rows : undefined, error: error ?? lists.find((list) => list.error)?.error ?? null };
}

const tones: Readonly<Record<Image['status']['state'], Tone>> = {
  pending: 'busy',
  creating: 'busy',
  ready: 'good',
  failed: 'bad',
};

export function imageCondition({ status }: Image): Condition {
  return { tone: tones[status.state], word: words.image.states[status.state] };
}

/** The path of an image in the API of the region service. */
export function imagePath(org: string, regionId: string, id: string): string {
  return `/api/v1/organizations/${org}/regions/${regionId}/images/${id}`;
}

export function askedOf(org: string, { image, regionId }: Row): Asked {
  return { service: 'region', path: imagePath(org, regionId, image.metadata.id), version: image.status.state };
}

export function osText({ image: { spec } }: Row): string {
  return `${spec.os.distro} ${spec.os.version}`;
}
