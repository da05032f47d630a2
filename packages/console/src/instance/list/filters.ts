import type { Instance } from '@unikorn/sdk';

import { perObject } from '../../parts/per-object.ts';

/** What a list can be limited to, beside a text, a state and a region. The keys are parameters of its address. */
export const properties = ['project', 'network', 'group', 'authority', 'flavor', 'image', 'tag'] as const;
export type Property = (typeof properties)[number];

export type Filters = Readonly<Partial<Record<Property | 'q', string | undefined>>>;

/** Decides which instances a list shows. Every word of the text must be found. */
export function matching(filters: Filters): (instance: Instance) => boolean {
  const wanted = (filters.q ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const chosen = properties.flatMap((property) => {
    const value = filters[property];
    return value === undefined ? [] : [{ property, value }];
  });
  // Loops instead of functions for each part: this runs for every instance of a list that changes all the time.
  return (instance) => {
    for (const { property, value } of chosen) if (!valuesOf(instance, property).includes(value)) return false;
    for (const word of wanted) if (!textOf(instance).includes(word)) return false;
    return true;
  };
}

function valuesOf({ metadata, spec, status }: Instance, property: Property): readonly string[] {
  switch (property) {
    case 'project':
      return [metadata.projectId];
    case 'network':
      return [status.networkId];
    case 'group':
      return spec.networking.securityGroups ?? [];
    case 'authority':
      return spec.sshCertificateAuthorityId === undefined ? [] : [spec.sshCertificateAuthorityId];
    case 'flavor':
      return [spec.flavorId];
    case 'image':
      return [spec.imageId];
    case 'tag':
      return tagsOf(metadata);
  }
}

function tagsOf({ tags = [] }: Instance['metadata']): readonly string[] {
  return tags.map(({ name, value }) => `${name}=${value}`);
}

/** The values of a property that some instance has, the most frequent ones first. */
export function choicesOf(instances: readonly Instance[], property: Property, most: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const instance of instances)
    for (const value of valuesOf(instance, property)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .toSorted(([one, few], [other, many]) => many - few || (one < other ? -1 : 1))
    .slice(0, most)
    .map(([value]) => value);
}

/** What a text is compared with. */
const textOf = perObject(({ metadata, status }: Instance): string =>
  [metadata.name, metadata.id, status.privateIP ?? '', status.publicIP ?? '', ...tagsOf(metadata)]
    .join(' ')
    .toLowerCase(),
);
