import { Type, type Static } from 'typebox';

import { listShape, wholeOf } from './pages.ts';
import type { Session } from './session.ts';

const ResourceProvider = Type.Object({ uuid: Type.String(), name: Type.String() });
export type ResourceProvider = Readonly<Static<typeof ResourceProvider>>;

const providers = listShape('resource_providers', ResourceProvider);

/** Hosts that have these resources free and these traits. A forbidden trait begins with `!`. */
export function listResourceProviders(
  session: Session,
  { resources, traits }: { readonly resources: Readonly<Record<string, number>>; readonly traits: readonly string[] },
): Promise<readonly ResourceProvider[]> {
  const query = {
    resources: Object.entries(resources)
      .map(([name, count]) => `${name}:${count}`)
      .join(','),
    required: traits.length > 0 ? traits.join(',') : undefined,
  };
  const doing = 'looking for a host';
  return wholeOf(session, { service: 'placement', path: '/resource_providers', query, doing }, providers);
}
