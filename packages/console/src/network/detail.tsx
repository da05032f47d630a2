import { useNavigate, useParams } from '@tanstack/react-router';

import { useNames } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Identifier } from '../parts/copy.tsx';
import { useListState } from '../parts/list-state.ts';
import { Fact, Facts, Nothing, Notice, Page, Section, Skeleton } from '../parts/page.tsx';
import { PlaceLink } from '../parts/place-link.tsx';
import { Badge, conditionOf } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { Gone } from '../shell/gone.tsx';
import { ResourceActions } from '../shell/resource-actions.tsx';
import { words } from '../words/index.ts';
import { AddressMap } from './address-map.tsx';
import { DeleteNetwork, NetworkForm } from './form.tsx';
import { Holders, holdersIn } from './holders.tsx';
import { routeText } from './text.ts';

const texts = words.network;
const from = '/o/$org/p/$project/networks/$id';

/** One network: its addresses, and what uses them. */
export function NetworkPage() {
  const { org, project, id } = useParams({ from });
  const { search, open, close } = useListState();
  const navigate = useNavigate();
  const networks = useLive('networks', { organization: org, project });
  const instances = useLive('instances', { organization: org, project });
  const balancers = useLive('loadBalancers', { organization: org, project });
  const storage = useLive('fileStorage', { organization: org, project });
  const groups = useLive('securityGroups', { organization: org, project });
  const names = useNames(org, project, []);
  const network = networks.items.find(({ metadata }) => metadata.id === id);
  if (!network)
    return networks.freshness === 'loading' ? <Skeleton /> : <Gone path={`/api/v2/networks/${id}`} one={texts.one} />;
  const { metadata, spec, status } = network;
  const condition = conditionOf(network);
  const loading = [instances, balancers, storage].some(({ freshness }) => freshness === 'loading');
  const holders = holdersIn(id, { instances: instances.items, balancers: balancers.items, storage: storage.items });
  const own = groups.items.filter((group) => group.status.networkId === id);
  return (
    <Page
      title={metadata.name}
      before={<Badge tone={condition.tone}>{condition.word}</Badge>}
      actions={
        <ResourceActions
          name={metadata.name}
          path={`/api/v2/networks/${id}`}
          version={JSON.stringify([
            metadata.provisioningStatus,
            metadata.modifiedTime,
            holders.map((holder) => holder.id),
            own.map((group) => group.metadata.id),
          ])}
          open={open}
        />
      }
    >
      {condition.message !== undefined && (
        <Notice tone={condition.tone === 'busy' ? 'info' : 'warn'}>
          <span lang="en">{condition.message}</span>
        </Notice>
      )}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <Section title={texts.details}>
          <Facts>
            <Fact name={texts.prefix}>
              <span className="font-mono text-sm">{status.prefix}</span>
            </Fact>
            <Fact name={texts.region}>{names.region(status.regionId)}</Fact>
            <Fact name={texts.dns}>
              <span className="font-mono text-sm">{spec.dnsNameservers.join(', ') || texts.noRoutes}</span>
            </Fact>
            <Fact name={texts.routes}>
              <span className="font-mono text-sm whitespace-pre-line">
                {routeText(spec.routes ?? []) || texts.noRoutes}
              </span>
            </Fact>
            <Fact name={words.parts.description}>{metadata.description ?? '–'}</Fact>
            <Fact name={words.parts.created}>
              <Time at={metadata.creationTime} />
            </Fact>
            <Fact name={texts.id}>
              <Identifier id={metadata.id} />
            </Fact>
          </Facts>
        </Section>
        <div className="grid gap-4">
          <Holders org={org} project={project} holders={holders} loading={loading} />
          <Section title={texts.groups}>
            {own.length === 0 && <Nothing loading={groups.freshness === 'loading'}>{texts.noGroups}</Nothing>}
            <ul className="flex flex-col gap-1">
              {own.map((group) => (
                <li key={group.metadata.id}>
                  <PlaceLink org={org} project={project} noun="security-groups" id={group.metadata.id}>
                    {group.metadata.name}
                  </PlaceLink>
                </li>
              ))}
            </ul>
          </Section>
        </div>
      </div>
      {!loading && <AddressMap network={network} holders={holders} />}
      {search.dialog === 'edit' && <NetworkForm org={org} project={project} network={network} onClose={close} />}
      {search.dialog === 'delete' && (
        <DeleteNetwork
          org={org}
          project={project}
          network={network}
          onClose={close}
          onDeleted={() => void navigate({ to: '/o/$org/p/$project/networks', params: { org, project } })}
        />
      )}
    </Page>
  );
}
