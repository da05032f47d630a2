import { useNavigate, useParams } from '@tanstack/react-router';

import type { Instance, Network } from '@unikorn/sdk';

import { useNames } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Identifier } from '../parts/copy.tsx';
import { useListState } from '../parts/list-state.ts';
import { Fact, Facts, FirstItems, Nothing, Notice, Page, Section, Skeleton } from '../parts/page.tsx';
import { byName } from '../parts/rows.tsx';
import { PlaceLink } from '../parts/place-link.tsx';
import { Badge, conditionOf } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { Gone } from '../shell/gone.tsx';
import { ResourceActions } from '../shell/resource-actions.tsx';
import { number, words } from '../words/index.ts';
import { DeleteNetwork, NetworkForm } from './form.tsx';
import { positionIn, routeText, sizeOf } from './text.ts';

const texts = words.network;
const from = '/o/$org/p/$project/networks/$id';

/** One network: its addresses, and what is in it. */
export function NetworkPage() {
  const { org, project, id } = useParams({ from });
  const { search, open, close } = useListState();
  const navigate = useNavigate();
  const networks = useLive('networks', { organization: org, project });
  const instances = useLive('instances', { organization: org, project });
  const groups = useLive('securityGroups', { organization: org, project });
  const names = useNames(org, project, []);
  const network = networks.items.find(({ metadata }) => metadata.id === id);
  if (!network)
    return networks.freshness === 'loading' ? <Skeleton /> : <Gone path={`/api/v2/networks/${id}`} one={texts.one} />;
  const { metadata, spec, status } = network;
  const condition = conditionOf(network);
  const inside = instances.items.filter((instance) => instance.status.networkId === id);
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
            [...inside, ...own].map(({ metadata: { id } }) => id),
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
        {instances.freshness !== 'loading' && <AddressMap network={network} instances={inside} />}
        <Section title={texts.instances}>
          {inside.length === 0 && <Nothing loading={instances.freshness === 'loading'}>{texts.noInstances}</Nothing>}
          <ul className="flex flex-col gap-1">
            <FirstItems items={inside.toSorted(byName)}>
              {(instance) => (
                <li key={instance.metadata.id} className="flex justify-between gap-4">
                  <PlaceLink org={org} project={project} noun="instances" id={instance.metadata.id}>
                    {instance.metadata.name}
                  </PlaceLink>
                  <span className="font-mono text-sm text-muted">{instance.status.privateIP}</span>
                </li>
              )}
            </FirstItems>
          </ul>
        </Section>
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

/** Where the addresses of instances are in the prefix. */
function AddressMap({ network, instances }: { readonly network: Network; readonly instances: readonly Instance[] }) {
  const { prefix } = network.status;
  const used = instances.flatMap(({ metadata, status }) =>
    status.privateIP === undefined ? [] : [{ name: metadata.name, address: status.privateIP }],
  );
  const summary = texts.mapText(number(used.length), number(sizeOf(prefix)));
  return (
    <Section title={texts.map}>
      <svg role="img" aria-label={summary} viewBox="0 0 256 24" className="h-8 w-full" preserveAspectRatio="none">
        <rect x="0" y="6" width="256" height="12" rx="2" className="fill-sunken" />
        {used.map(({ name, address }) => (
          <rect
            key={address}
            x={positionIn(prefix, address) * 255}
            y="2"
            width="1.5"
            height="20"
            className="fill-accent"
          >
            <title>{`${name} ${address}`}</title>
          </rect>
        ))}
      </svg>
      <p className="mt-2 text-muted">{summary}</p>
    </Section>
  );
}
