import { useNavigate, useParams } from '@tanstack/react-router';

import type { Instance } from '@unikorn/sdk';

import { useNames } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Identifier } from '../parts/copy.tsx';
import { useListState } from '../parts/list-state.ts';
import { Fact, Facts, Notice, Page, Section, Skeleton } from '../parts/page.tsx';
import { PlaceLink } from '../parts/place-link.tsx';
import { Badge, conditionOf } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { Gone } from '../shell/gone.tsx';
import { ResourceActions } from '../shell/resource-actions.tsx';
import { words } from '../words/index.ts';
import { DeleteLoadBalancer, LoadBalancerForm } from './form.tsx';
import { memberText, type Listener } from './listeners.ts';

const texts = words.loadBalancer;
const from = '/o/$org/p/$project/load-balancers/$id';

/** One load balancer: its addresses, and its listeners with their members. */
export function LoadBalancerPage() {
  const { org, project, id } = useParams({ from });
  const { search, open, close } = useListState();
  const navigate = useNavigate();
  const balancers = useLive('loadBalancers', { organization: org, project });
  const { items: instances } = useLive('instances', { organization: org, project });
  const names = useNames(org, project, []);
  const balancer = balancers.items.find(({ metadata }) => metadata.id === id);
  if (!balancer)
    return balancers.freshness === 'loading' ? (
      <Skeleton />
    ) : (
      <Gone path={`/api/v2/loadbalancers/${id}`} one={texts.one} />
    );
  const { metadata, spec, status } = balancer;
  const condition = conditionOf(balancer);
  return (
    <Page
      title={metadata.name}
      before={<Badge tone={condition.tone}>{condition.word}</Badge>}
      actions={
        <ResourceActions
          name={metadata.name}
          path={`/api/v2/loadbalancers/${id}`}
          version={JSON.stringify([metadata.provisioningStatus, metadata.modifiedTime])}
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
            <Fact name={texts.address}>
              <span className="font-mono text-sm">{status.vipAddress ?? '–'}</span>
            </Fact>
            <Fact name={texts.publicAddress}>
              <span className="font-mono text-sm">{status.publicIP ?? texts.none}</span>
            </Fact>
            <Fact name={texts.network}>
              <PlaceLink org={org} project={project} noun="networks" id={status.networkId}>
                {names.network(status.networkId)}
              </PlaceLink>
            </Fact>
            <Fact name={words.parts.created}>
              <Time at={metadata.creationTime} />
            </Fact>
            <Fact name={texts.id}>
              <Identifier id={metadata.id} />
            </Fact>
          </Facts>
        </Section>
        {spec.listeners.map((listener) => (
          <ListenerSection key={listener.name} org={org} project={project} listener={listener} instances={instances} />
        ))}
      </div>
      {search.dialog === 'edit' && <LoadBalancerForm org={org} project={project} balancer={balancer} onClose={close} />}
      {search.dialog === 'delete' && (
        <DeleteLoadBalancer
          org={org}
          project={project}
          balancer={balancer}
          onClose={close}
          onDeleted={() => void navigate({ to: '/o/$org/p/$project/load-balancers', params: { org, project } })}
        />
      )}
    </Page>
  );
}

function ListenerSection({
  org,
  project,
  listener,
  instances,
}: {
  readonly org: string;
  readonly project: string;
  readonly listener: Listener;
  readonly instances: readonly Instance[];
}) {
  return (
    <Section title={`${listener.name} · ${listener.protocol} ${listener.port}`}>
      {listener.pool.members.length === 0 && <p className="text-muted">{texts.noMembers}</p>}
      <ul className="flex flex-col gap-1">
        {listener.pool.members.map((member) => {
          const instance = instances.find(({ status }) => status.privateIP === member.address);
          return (
            <li key={memberText(member)} className="flex items-baseline justify-between gap-4">
              <span className="min-w-0 truncate">
                {instance ? (
                  <PlaceLink org={org} project={project} noun="instances" id={instance.metadata.id}>
                    {instance.metadata.name}
                  </PlaceLink>
                ) : (
                  <span className="text-muted">{texts.unknownMember}</span>
                )}
                {instance?.status.powerState !== undefined && (
                  <span className="ms-2 text-sm text-muted">
                    {texts.powerState} {instance.status.powerState}
                  </span>
                )}
              </span>
              <span className="font-mono text-sm text-muted">{memberText(member)}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
