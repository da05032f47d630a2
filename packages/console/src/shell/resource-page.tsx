import { useLocation, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Instance } from '@unikorn/sdk';

import { Identifier } from '../parts/copy.tsx';
import { ExplanationView } from '../parts/explanation.tsx';
import { HistoryView } from '../parts/history.tsx';
import { InstancesLink } from '../parts/instances-link.tsx';
import { useListState } from '../parts/list-state.ts';
import { Fact, Facts, FirstItems, Nothing, Page, Section } from '../parts/page.tsx';
import { PlaceLink } from '../parts/place-link.tsx';
import { ProblemPage } from '../parts/problem-page.tsx';
import { byName, type Named } from '../parts/rows.tsx';
import { DetailSkeleton } from '../parts/skeleton.tsx';
import { Badge, type Condition } from '../parts/status.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { words } from '../words/index.ts';
import { Gone } from './gone.tsx';
import { ResourceActions, type ResourceActionsProps } from './resource-actions.tsx';

const texts = words.shell.resource;

export interface Place {
  readonly org: string;
  readonly project: string;
}

export interface ResourcePageProps<Row extends Named> extends Place, Pick<ResourceActionsProps, 'edit' | 'path'> {
  /** The part of the addresses of its pages, such as `networks`. */
  readonly noun: string;
  /** What it is called in sentences, such as `network`. */
  readonly one: string;
  readonly id: string;
  readonly resource: Row | undefined;
  readonly loading: boolean;
  /** Why it cannot be read. */
  readonly error: Error | null;
  readonly conditionOf?: (resource: Row) => Condition;
  /** What else decides what can be done with it, such as what uses it. */
  readonly version?: unknown;
  /** Before the verbs that every resource has. */
  readonly actions?: (resource: Row) => ReactNode;
  /** The dialog that changes it. */
  readonly form?: (resource: Row, onClose: () => void) => ReactNode;
  /** The dialog that deletes it. */
  readonly remove: (resource: Row, onClose: () => void, onDeleted: () => void) => ReactNode;
  readonly children: (resource: Row) => ReactNode;
}

/** The page of a resource of a region: what it needs and what holds it up, what it is, and what happened to it. */
export function ResourcePage<Row extends Named>(props: ResourcePageProps<Row>) {
  const { org, project, noun, one, id, resource, loading, path, edit, actions, form, remove, children } = props;
  const { search, open, close } = useListState();
  const navigate = useNavigate();
  const showsHistory = useLocation().pathname.endsWith(`/${id}/history`);
  if (!resource && props.error) return <ProblemPage error={props.error} />;
  if (!resource) return loading ? <DetailSkeleton tabs graph sections={[[7], [3]]} /> : <Gone path={path} one={one} />;
  const list: string = `/o/${org}/p/${project}/${noun}`;
  const condition = props.conditionOf?.(resource);
  const version = JSON.stringify([resource.metadata, props.version]);
  return (
    <Page
      title={resource.metadata.name}
      part={showsHistory ? texts.history : undefined}
      before={condition && <Badge tone={condition.tone}>{condition.word}</Badge>}
      actions={
        <>
          {actions?.(resource)}
          <ResourceActions name={resource.metadata.name} edit={edit} path={path} version={version} open={open} />
        </>
      }
    >
      <Tabs
        label={texts.tabs}
        tabs={[
          { to: `${list}/${id}`, title: texts.overview },
          { to: `${list}/${id}/history`, title: texts.history },
        ]}
      />
      {showsHistory ? (
        <Section title={texts.history} flush>
          <HistoryView service="region" path={path} version={version} />
        </Section>
      ) : (
        <>
          <Section title={texts.lifecycle}>
            <ExplanationView service="region" path={path} version={version} />
          </Section>
          {children(resource)}
        </>
      )}
      {search.dialog === 'edit' && form?.(resource, close)}
      {search.dialog === 'delete' && remove(resource, close, () => void navigate({ to: list }))}
    </Page>
  );
}

/** The facts of a resource: those of its kind first, then those that all have. */
export function Details({
  resource: { metadata },
  children,
}: {
  readonly resource: Named & { readonly metadata: { readonly description?: string } };
  readonly children: ReactNode;
}) {
  return (
    <Section title={texts.details}>
      <Facts>
        {children}
        <Fact name={words.parts.description}>{metadata.description ?? '–'}</Fact>
        <Fact name={words.parts.created}>
          <Time at={metadata.creationTime} />
        </Fact>
        <Fact name={texts.id}>
          <Identifier id={metadata.id} />
        </Fact>
      </Facts>
    </Section>
  );
}

/** The instances that use a resource, with a link to each. */
export function UsedBy({
  org,
  project,
  title,
  none,
  instances,
  by,
  loading,
}: Place & {
  readonly title: string;
  /** What is said if there are none. */
  readonly none: string;
  readonly instances: readonly Instance[];
  /** The filter that leaves them in the list of all instances. */
  readonly by: Parameters<typeof InstancesLink>[0]['by'];
  readonly loading: boolean;
}) {
  return (
    <Section title={title} actions={<InstancesLink org={org} project={project} instances={instances.length} by={by} />}>
      {instances.length === 0 && <Nothing loading={loading}>{none}</Nothing>}
      <ul className="flex flex-col gap-1">
        <FirstItems items={instances.toSorted(byName)}>
          {({ metadata: { id, name } }) => (
            <li key={id}>
              <PlaceLink org={org} project={project} noun="instances" id={id}>
                {name}
              </PlaceLink>
            </li>
          )}
        </FirstItems>
      </ul>
    </Section>
  );
}
