import type { FileStorage, Instance, LoadBalancer } from '@unikorn/sdk';

import { InstancesLink } from '../parts/instances-link.tsx';
import { FirstItems, Nothing, Section } from '../parts/page.tsx';
import { PlaceLink } from '../parts/place-link.tsx';
import { words } from '../words/index.ts';
import { byAddress, mountAddress, type Holder } from './prefix-map.ts';

const texts = words.network;

const nouns = { instance: 'instances', loadBalancer: 'load-balancers', fileStorage: 'file-storage' } as const;

/** Everything that is in a network, in the order of its addresses. */
export function holdersIn(
  networkId: string,
  {
    instances,
    balancers,
    storage,
  }: {
    readonly instances: readonly Instance[];
    readonly balancers: readonly LoadBalancer[];
    readonly storage: readonly FileStorage[];
  },
): readonly Holder[] {
  return [
    ...instances
      .filter(({ status }) => status.networkId === networkId)
      .map(({ metadata: { id, name }, status }) => ({
        kind: 'instance' as const,
        id,
        name,
        address: status.privateIP,
      })),
    ...balancers
      .filter(({ status }) => status.networkId === networkId)
      .map(({ metadata: { id, name }, status }) => ({
        kind: 'loadBalancer' as const,
        id,
        name,
        address: status.vipAddress,
      })),
    ...storage.flatMap(({ metadata: { id, name }, status }) =>
      (status.attachments ?? [])
        .filter((attachment) => attachment.networkId === networkId)
        .map(({ mountSource }) => ({ kind: 'fileStorage' as const, id, name, address: mountAddress(mountSource) })),
    ),
  ].toSorted(byAddress);
}

/** What uses the network, with a link to each. */
export function Holders({
  org,
  project,
  network,
  holders,
  loading,
}: {
  readonly network: string;
  readonly org: string;
  readonly project: string;
  readonly holders: readonly Holder[];
  readonly loading: boolean;
}) {
  return (
    <Section
      title={texts.users}
      actions={
        <InstancesLink
          org={org}
          project={project}
          instances={holders.filter(({ kind }) => kind === 'instance').length}
          by={{ network }}
        />
      }
    >
      {holders.length === 0 && <Nothing loading={loading}>{texts.noUsers}</Nothing>}
      <ul className="flex flex-col gap-1">
        <FirstItems items={holders}>
          {({ kind, id = '', name, address }) => (
            <li key={`${kind} ${id}`} className="flex items-baseline justify-between gap-4">
              <span className="min-w-0 break-words">
                {kind === 'gateway' ? (
                  name
                ) : (
                  <PlaceLink org={org} project={project} noun={nouns[kind]} id={id}>
                    {name}
                  </PlaceLink>
                )}{' '}
                <span className="text-sm text-muted">{texts.holders[kind]}</span>
              </span>
              <span className="font-mono text-sm text-muted">{address ?? texts.noAddress}</span>
            </li>
          )}
        </FirstItems>
      </ul>
    </Section>
  );
}
