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
  return (instance) =>
    chosen.every(({ property, value }) => valuesOf(instance, property).includes(value)) &&
    wanted.every((word) => textOf(instance).includes(word));
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
