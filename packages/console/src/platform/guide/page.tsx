import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { dataOf, type Instance, type RegionRead } from '@unikorn/sdk';

import { failureOf } from '../../live/hub.ts';
import { useLive } from '../../live/use-live.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { ExplanationView } from '../../parts/explanation.tsx';
import { Icon } from '../../parts/icon.tsx';
import { instanceCondition } from '../../parts/instance-status.ts';
import { FirstItems, Nothing, Page, Section } from '../../parts/page.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { byName } from '../../parts/rows.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Badge, Status } from '../../parts/status.tsx';
import { platform } from '../../platform.ts';
import { serverNow } from '../../session/server-clock.ts';
import { useApi } from '../../session/context.tsx';
import { useRights } from '../../session/rights.ts';
import { rememberRehearsal, type GuideSearch } from '../../shell/rehearsal.ts';
import { followWork } from '../../shell/work.ts';
import { Same, type Sent } from '../../shell/same.tsx';
import { guideWords as texts } from '../../words/guide.ts';
import { words } from '../../words/index.ts';
import { regionCondition } from '../region/condition.ts';
import { useSimulation, useTurn } from '../region/queries.ts';
import { Start } from './start.tsx';
import { fittingStep, steps, type Step } from './step.ts';

const from = '/platform/guided-minute';

/** Takes a person through an outage of a region. The address says where they are. */
export function GuidePage() {
  const search = useSearch({ from });
  const live = useLive('regions', {});
  const { byId, freshness } = live;
  const failure = failureOf(live);
  const region = byId.get(search.simulation ?? '');
  const hasBegun = search.step !== undefined && search.simulation !== undefined;
  return (
    <Page title={texts.title}>
      <p className="max-w-3xl text-muted">{texts.intro}</p>
      {failure && <Problem error={failure} />}
      {freshness === 'loading' && <Skeleton />}
      {freshness !== 'loading' && !hasBegun && (
        <Frame step="start">
          <Start />
        </Frame>
      )}
      {freshness !== 'loading' && hasBegun && !region && (
        <>
          <p>{texts.regionGone}</p>
          <Link to={from} className={`${buttonLook()} self-start`}>
            {texts.startOver}
          </Link>
        </>
      )}
      {hasBegun && region && <Minute region={region} search={search} />}
    </Page>
  );
}

/** The steps on the left, and the current one beside them. */
function Frame({ step, children }: { readonly step: Step; readonly children: ReactNode }) {
  const at = steps.indexOf(step);
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <ol aria-label={texts.progress} className="flex flex-col gap-1 max-lg:hidden">
        {steps.map((each, index) => (
          <li
            key={each}
            aria-current={index === at ? 'step' : undefined}
            className="flex items-center gap-2.5 rounded-md px-2 py-1.5 text-muted aria-[current=step]:bg-selected aria-[current=step]:font-medium aria-[current=step]:text-accent-text"
          >
            <span
              className={`grid size-5 place-items-center rounded-full text-xs tabular ${index < at ? 'bg-good-soft text-good' : index === at ? 'bg-accent text-on-accent' : 'bg-idle-soft text-idle'}`}
            >
              {index < at ? <Icon name="check" className="size-3" /> : index + 1}
            </span>
            {texts.steps[each]}
          </li>
        ))}
      </ol>
      <div className="flex min-w-0 flex-col gap-4">
        <p className="text-sm text-muted lg:hidden">{texts.stepOf(at + 1, steps.length)}</p>
        {children}
      </div>
    </div>
  );
}

function Minute({ region, search }: { readonly region: RegionRead; readonly search: GuideSearch }) {
  const { id, name } = region.metadata;
  const { data: knobs, error } = useSimulation(id);
  const { items, byId, freshness } = useLive('instances', { region: id });
  const instance = byId.get(search.instance ?? '');
  const step = fittingStep(search.step ?? 'start', knobs?.service);
  const condition = regionCondition(region, knobs);
  return (
    <Frame step={step}>
      {error && <Problem error={error} />}
      <CurrentStep step={step} region={region} search={search} instance={instance} />
      {search.instance !== undefined && step !== 'done' && (
        <Section title={texts.chain} {...(instance ? { actions: <Status {...instanceCondition(instance)} /> } : {})}>
          {instance ? (
            <ExplanationView
              service="compute"
              path={`/api/v2/instances/${instance.metadata.id}`}
              version={JSON.stringify([instance.metadata.provisioningStatus, instance.status.powerState])}
            />
          ) : (
            <Nothing loading={freshness === 'loading'}>{texts.gone}</Nothing>
          )}
        </Section>
      )}
      <Section title={`${texts.instances} ${name}`} actions={<Badge tone={condition.tone}>{condition.word}</Badge>}>
        {items.length === 0 && <Nothing loading={freshness === 'loading'}>–</Nothing>}
        <ul aria-label={texts.instances} className="flex max-h-64 flex-col gap-1.5 overflow-y-auto">
          <FirstItems items={items.toSorted(byName)}>
            {(each) => (
              <li key={each.metadata.id} className="flex flex-wrap items-center justify-between gap-x-4">
                <span className="font-medium">{each.metadata.name}</span>
                <Status {...instanceCondition(each)} />
              </li>
            )}
          </FirstItems>
        </ul>
      </Section>
    </Frame>
  );
}

/** One step: what happens, one button, and what to look at. */
function Card({
  step,
  text,
  look,
  action,
  request,
  error,
  children,
}: {
  readonly step: Step;
  readonly text: string;
  readonly look: string;
  readonly action: ReactNode;
  readonly request?: Sent;
  readonly error?: Error | null;
  readonly children?: ReactNode;
}) {
  return (
    <section
      aria-label={texts.steps[step]}
      className="flex flex-col gap-3 rounded-lg border border-accent bg-surface p-4 ring-1 ring-accent"
    >
      <h2 className="text-lg font-semibold">{texts.steps[step]}</h2>
      <p className="max-w-2xl" aria-live="polite">
        {text}
      </p>
      {children}
      <div className="flex flex-wrap items-center gap-2">{action}</div>
      {error && <Problem error={error} />}
      <p className="max-w-2xl text-muted">
        <span className="font-medium text-text">{texts.lookAt}: </span>
        {look}
      </p>
      {request && <Same sent={request} />}
    </section>
  );
}

function CurrentStep({
  step,
  region,
  search,
  instance,
}: {
  readonly step: Step;
  readonly region: RegionRead;
  readonly search: GuideSearch;
  readonly instance: Instance | undefined;
}) {
  switch (step) {
    case 'start':
      return <Start />;
    case 'down':
      return <Down region={region} search={search} />;
    case 'create':
      return <Create region={region} search={search} />;
    case 'wait':
      return <Wait region={region} search={search} />;
    case 'back':
      return <Back region={region} search={search} instance={instance} />;
    case 'done':
      return <Done region={region} search={search} />;
  }
}

interface StepProps {
  readonly region: RegionRead;
  readonly search: GuideSearch;
}

function useGo() {
  const navigate = useNavigate({ from });
  return (search: GuideSearch) => void navigate({ search });
}

function useMissingRight(): string | undefined {
  const rights = useRights(undefined);
  return rights.mayGlobally('region:regions/simulation', 'update') ? undefined : words.parts.missingRight;
}

/** A step that takes the region down or up. */
function Turn({
  region,
  step,
  service,
  text,
  look,
  action,
  onBefore,
  onTurned,
}: Pick<StepProps, 'region'> & {
  readonly step: 'down' | 'wait';
  readonly service: 'down' | 'up';
  readonly text: string;
  readonly look: string;
  readonly action: string;
  readonly onBefore?: () => void;
  readonly onTurned: () => void;
}) {
  const { id } = region.metadata;
  const { mutate, isPending, error } = useTurn(id);
  const reason = useMissingRight();
  return (
    <Card
      step={step}
      text={text}
      look={look}
      error={error}
      request={{ method: 'PUT', path: `/region/api/v2/regions/${id}/simulation`, body: { service } }}
      action={
        <Button
          kind="primary"
          busy={isPending}
          reason={reason}
          onClick={() => {
            onBefore?.();
            mutate({ service }, { onSuccess: onTurned });
          }}
        >
          {action}
        </Button>
      }
    />
  );
}

function Down({ region, search }: StepProps) {
  const { id, name } = region.metadata;
  const go = useGo();
  const next: GuideSearch = { ...search, step: 'create' };
  return (
    <Turn
      region={region}
      step="down"
      service="down"
      text={texts.downText(name)}
      look={texts.downLook}
      action={texts.downAction(name)}
      onBefore={() => {
        // Before the request: if its answer is lost, the region may be down.
        rememberRehearsal({ region: id, name, search: next });
      }}
      onTurned={() => {
        go(next);
      }}
    />
  );
}

function Create({ region, search }: StepProps) {
  const { id, name } = region.metadata;
  const go = useGo();
  const api = useApi();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { network: networkID = '', flavor = '', image = '' } = search;
      const network = await dataOf(api.region.GET('/api/v2/networks/{networkID}', { params: { path: { networkID } } }));
      return dataOf(
        api.compute.POST('/api/v2/instances', {
          body: {
            metadata: { name: `guided-minute-${platform.uuid().slice(0, 4)}` },
            spec: {
              organizationId: network.metadata.organizationId,
              projectId: network.metadata.projectId,
              networkId: networkID,
              flavorId: flavor,
              imageId: image,
              networking: {},
            },
          },
        }),
      );
    },
    onSuccess: ({ metadata }) => {
      const next: GuideSearch = { ...search, step: 'wait', instance: metadata.id };
      rememberRehearsal({ region: id, name, instance: metadata.id, search: next });
      go(next);
    },
  });
  return (
    <Card
      step="create"
      text={texts.createText(name)}
      look={texts.createLook}
      error={error}
      request={{
        method: 'POST',
        path: '/compute/api/v2/instances',
        body: {
          metadata: { name: 'guided-minute' },
          spec: { networkId: search.network, flavorId: search.flavor, imageId: search.image, networking: {} },
        },
      }}
      action={
        <Button
          kind="primary"
          busy={isPending}
          onClick={() => {
            mutate();
          }}
        >
          {texts.createAction}
        </Button>
      }
    />
  );
}

function Wait({ region, search }: StepProps) {
  const { name } = region.metadata;
  const go = useGo();
  return (
    <Turn
      region={region}
      step="wait"
      service="up"
      text={texts.waitText(name)}
      look={texts.waitLook}
      action={texts.waitAction(name)}
      onTurned={() => {
        rememberRehearsal(undefined);
        go({ ...search, step: 'back' });
      }}
    />
  );
}

function Back({ region, search, instance }: StepProps & { readonly instance: Instance | undefined }) {
  const go = useGo();
  const { compute } = useApi();
  const isReady = instance?.metadata.provisioningStatus === 'provisioned' && instance.status.powerState === 'Running';
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      if (!instance) return;
      const { id, name, organizationId, projectId } = instance.metadata;
      await compute.DELETE('/api/v2/instances/{instanceID}', { params: { path: { instanceID: id } } });
      followWork({
        id: `${id} gone`,
        title: words.instance.work.delete(name),
        service: 'compute',
        path: `/api/v2/instances/${id}`,
        goal: 'gone',
        page: `/o/${organizationId}/p/${projectId}/instances`,
        since: new Date(serverNow()).toISOString(),
      });
    },
    onSuccess: () => {
      go({ ...search, step: 'done' });
    },
  });
  return (
    <Card
      step="back"
      text={isReady ? texts.backReady : texts.backText(region.metadata.name)}
      look={texts.backLook}
      error={error}
      {...(instance
        ? { request: { method: 'DELETE' as const, path: `/compute/api/v2/instances/${instance.metadata.id}` } }
        : {})}
      action={
        <Button
          kind="primary"
          busy={isPending}
          reason={isReady || !instance ? undefined : texts.backWaiting}
          onClick={() => {
            mutate();
          }}
        >
          {texts.backAction}
        </Button>
      }
    />
  );
}

function Done({ region, search }: StepProps) {
  return (
    <Card
      step="done"
      text={texts.doneText(region.metadata.name)}
      look={texts.doneLook}
      action={
        <>
          {search.instance !== undefined && (
            <Link to="/i/$id" params={{ id: search.instance }} className={buttonLook('primary')}>
              {texts.history}
            </Link>
          )}
          <Link to={from} className={buttonLook()}>
            {texts.again}
          </Link>
          <Link to="/platform/regions/$id/simulation" params={{ id: region.metadata.id }} className={buttonLook()}>
            {texts.faults}
          </Link>
        </>
      }
    />
  );
}
