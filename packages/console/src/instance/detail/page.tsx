import { Outlet, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Instance } from '@unikorn/sdk';

import { failureOf } from '../../live/hub.ts';
import { useLive } from '../../live/use-live.ts';
import { CopyButton, Identifier } from '../../parts/copy.tsx';
import { progressOf } from '../../parts/explanation-graph.ts';
import { useExplanation } from '../../parts/explanation.tsx';
import { instanceCondition } from '../../parts/instance-status.ts';
import { Notice, Page } from '../../parts/page.tsx';
import { DetailSkeleton } from '../../parts/skeleton.tsx';
import { ProblemPage } from '../../parts/problem-page.tsx';
import { Badge } from '../../parts/status.tsx';
import { Tabs, usePartOf } from '../../parts/tabs.tsx';
import { Countdown, Time } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { apiPath, versionOf } from '../api.ts';
import { Actions } from './actions.tsx';
import { InstanceProvider } from './instance.tsx';
import { Tombstone } from './tombstone.tsx';

const texts = words.instance;
const from = '/o/$org/p/$project/instances/$id';

/** The page of an instance: its state first, then its parts. */
export function InstancePage() {
  const { org, project, id } = useParams({ from });
  const live = useLive('instances', { organization: org, project });
  const instance = live.byId.get(id);
  const failure = failureOf(live);
  const base = `/o/${org}/p/${project}/instances/${id}`;
  const tabs = [
    { to: base, title: texts.tabs.overview },
    { to: `${base}/network`, title: texts.tabs.network },
    { to: `${base}/console`, title: texts.tabs.console },
    { to: `${base}/history`, title: texts.tabs.history },
    { to: `${base}/settings`, title: texts.tabs.settings },
  ];
  const part = usePartOf(tabs);
  if (failure) return <ProblemPage error={failure} />;
  if (!instance)
    return live.freshness === 'loading' ? (
      <DetailSkeleton strip tabs sections={[[8], [9]]} columns="2xl:grid-cols-[minmax(0,1fr)_22rem]" />
    ) : (
      <Tombstone id={id} org={org} project={project} />
    );
  const { tone, word } = instanceCondition(instance);
  return (
    <InstanceProvider value={instance}>
      <Page
        title={instance.metadata.name}
        part={part}
        before={<Badge tone={tone}>{word}</Badge>}
        actions={<Actions instance={instance} />}
      >
        <Strip instance={instance} />
        {instance.status.diskLostAt !== undefined && (
          <Notice tone="warn">
            {texts.diskLost} <Time at={instance.status.diskLostAt} />.
          </Notice>
        )}
        {instance.status.replacement && (
          <Notice>
            {texts.replacing(instance.status.replacement.action)} <Time at={instance.status.replacement.since} />.
          </Notice>
        )}
        <Tabs label={texts.tabs.label} tabs={tabs} />
        <Outlet />
      </Page>
    </InstanceProvider>
  );
}

/** What one wants to know first, in one line. */
function Strip({ instance }: { readonly instance: Instance }) {
  const { metadata, status } = instance;
  const { data } = useExplanation('compute', apiPath(metadata.id), versionOf(instance));
  const { since, nextRetry } = data ? progressOf(data, 'instance') : {};
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      {since !== undefined && (
        <StripFact name={texts.stateSince}>
          <Time at={since} />
        </StripFact>
      )}
      {nextRetry !== undefined && (
        <StripFact name={words.parts.explanation.nextRetry}>
          <Countdown to={nextRetry} />
        </StripFact>
      )}
      {[
        [texts.columns.address, status.privateIP] as const,
        [texts.columns.publicAddress, status.publicIP] as const,
      ].map(([name, address]) => (
        <StripFact key={name} name={name}>
          <span className="font-mono">{address ?? '–'}</span>
          {address !== undefined && <CopyButton text={address} what={address} />}
        </StripFact>
      ))}
      <StripFact name={texts.created}>
        <Time at={metadata.creationTime} />
      </StripFact>
      <StripFact name={texts.observed}>
        <Time at={status.observedAt} />
      </StripFact>
      <StripFact name={texts.columns.id}>
        <Identifier id={metadata.id} />
      </StripFact>
    </dl>
  );
}

function StripFact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="flex h-6 items-center gap-1">{children}</dd>
    </div>
  );
}
