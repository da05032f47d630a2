import { ProviderFailure, type ExternalNetwork } from '../../provider/index.ts';
import { neutron, type Session } from './client/index.ts';
import type { NetworkSettings } from './network-settings.ts';

/** The external networks that a region may use, in order of name. */
export async function externalNetworks(
  session: Session,
  { externalNetworks: selector = {} }: NetworkSettings,
): Promise<readonly ExternalNetwork[]> {
  const { ids = [], tags = [] } = selector;
  return (await neutron.listExternalNetworks(session))
    .filter(({ id }) => ids.length === 0 || ids.includes(id))
    .filter((network) => tags.every((tag) => network.tags?.includes(tag)))
    .map(({ id, name }) => ({ id, name }))
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** The network of routers and public addresses. It stays the same while the cloud and the settings stay the same. */
export async function chooseExternalNetwork(session: Session, settings: NetworkSettings): Promise<string> {
  const [first] = await externalNetworks(session, settings);
  if (first) return first.id;
  throw new ProviderFailure(
    'invalid',
    'the region has no external network: the platform operator must check the external networks of the cloud and the selector of the region',
  );
}

function keyOf({ id, name }: ExternalNetwork): string {
  return `${name}/${id}`;
}
