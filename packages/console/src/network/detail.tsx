import { useParams } from '@tanstack/react-router';

import { useNames } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Fact, Nothing, Section } from '../parts/page.tsx';
import { PlaceLink } from '../parts/place-link.tsx';
import { liveResource } from '../parts/rows.tsx';
import { conditionOf } from '../parts/status.tsx';
import { Details, ResourcePage } from '../shell/resource-page.tsx';
import { words } from '../words/index.ts';
import { AddressMap } from './address-map.tsx';
import { DeleteNetwork, NetworkForm } from './form.tsx';
import { Holders, holdersIn } from './holders.tsx';
import { routeText } from './text.ts';

const texts = words.network;

/** One network: its addresses, and what uses them. */
export function NetworkPage() {
  const { org, project, id } = useParams({ from: '/o/$org/p/$project/networks/$id' });
  const place = { organization: org, project };
  const networks = useLive('networks', place);
  const instances = useLive('instances', place);
  const balancers = useLive('loadBalancers', place);
  const storage = useLive('fileStorage', place);
  const groups = useLive('securityGroups', place);
  const names = useNames(org, project, []);
  const loading = [instances, balancers, storage].some(({ freshness }) => freshness === 'loading');
  const holders = holdersIn(id, { instances: instances.items, balancers: balancers.items, storage: storage.items });
  const own = groups.items.filter((group) => group.status.networkId === id);
  return (
    <ResourcePage
      org={org}
      project={project}
      noun="networks"
      one={texts.one}
      id={id}
      path={`/api/v2/networks/${id}`}
      {...liveResource(networks, id)}
      conditionOf={conditionOf}
      version={[holders.map((holder) => holder.id), own.map(({ metadata }) => metadata.id)]}
      form={(network, onClose) => <NetworkForm org={org} project={project} network={network} onClose={onClose} />}
      remove={(network, onClose, onDeleted) => (
        <DeleteNetwork org={org} project={project} network={network} onClose={onClose} onDeleted={onDeleted} />
      )}
    >
      {(network) => (
        <>
          <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
            <Details resource={network}>
              <Fact name={texts.prefix}>
                <span className="font-mono text-sm">{network.status.prefix}</span>
              </Fact>
              <Fact name={texts.region}>{names.region(network.status.regionId)}</Fact>
              <Fact name={texts.dns}>
                <span className="font-mono text-sm">{network.spec.dnsNameservers.join(', ') || texts.noRoutes}</span>
              </Fact>
              <Fact name={texts.routes}>
                <span className="font-mono text-sm whitespace-pre-line">
                  {routeText(network.spec.routes ?? []) || texts.noRoutes}
                </span>
              </Fact>
            </Details>
            <div className="grid gap-4">
              <Holders org={org} project={project} network={id} holders={holders} loading={loading} />
              <Section title={texts.groups}>
                {own.length === 0 && <Nothing loading={groups.freshness === 'loading'}>{texts.noGroups}</Nothing>}
                <ul className="flex flex-col gap-1">
                  {own.map(({ metadata }) => (
                    <li key={metadata.id}>
                      <PlaceLink org={org} project={project} noun="security-groups" id={metadata.id}>
                        {metadata.name}
                      </PlaceLink>
                    </li>
                  ))}
                </ul>
              </Section>
            </div>
          </div>
          {!loading && <AddressMap network={network} holders={holders} />}
        </>
      )}
    </ResourcePage>
  );
}
