import { useParams } from '@tanstack/react-router';

import type { Instance } from '@unikorn/sdk';

import { useNames } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Fact, Section } from '../parts/page.tsx';
import { PlaceLink } from '../parts/place-link.tsx';
import { liveResource } from '../parts/rows.tsx';
import { conditionOf } from '../parts/status.tsx';
import { Details, ResourcePage } from '../shell/resource-page.tsx';
import { words } from '../words/index.ts';
import { DeleteLoadBalancer, LoadBalancerForm } from './form.tsx';
import { memberText, type Listener } from './listeners.ts';

const texts = words.loadBalancer;

/** One load balancer: its addresses, and its listeners with their members. */
export function LoadBalancerPage() {
  const { org, project, id } = useParams({ from: '/o/$org/p/$project/load-balancers/$id' });
  const balancers = useLive('loadBalancers', { organization: org, project });
  const { items: instances } = useLive('instances', { organization: org, project });
  const names = useNames(org, project, []);
  return (
    <ResourcePage
      org={org}
      project={project}
      noun="load-balancers"
      one={texts.one}
      id={id}
      path={`/api/v2/loadbalancers/${id}`}
      {...liveResource(balancers, id)}
      conditionOf={conditionOf}
      form={(balancer, onClose) => (
        <LoadBalancerForm org={org} project={project} balancer={balancer} onClose={onClose} />
      )}
      remove={(balancer, onClose, onDeleted) => (
        <DeleteLoadBalancer org={org} project={project} balancer={balancer} onClose={onClose} onDeleted={onDeleted} />
      )}
    >
      {(balancer) => (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          <Details resource={balancer}>
            <Fact name={texts.address}>
              <span className="font-mono text-sm">{balancer.status.vipAddress ?? '–'}</span>
            </Fact>
            <Fact name={texts.publicAddress}>
              <span className="font-mono text-sm">{balancer.status.publicIP ?? texts.none}</span>
            </Fact>
            <Fact name={texts.network}>
              <PlaceLink org={org} project={project} noun="networks" id={balancer.status.networkId}>
                {names.network(balancer.status.networkId)}
              </PlaceLink>
            </Fact>
          </Details>
          {balancer.spec.listeners.map((listener) => (
            <ListenerSection
              key={listener.name}
              org={org}
              project={project}
              listener={listener}
              instances={instances}
            />
          ))}
        </div>
      )}
    </ResourcePage>
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
