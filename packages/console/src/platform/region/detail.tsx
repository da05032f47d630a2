import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';

import type { RegionRead } from '@unikorn/sdk';

import { failureOf } from '../../live/hub.ts';
import { useLive } from '../../live/use-live.ts';
import { Button } from '../../parts/button.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Code, Identifier } from '../../parts/copy.tsx';
import { DeleteDialog } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { instanceCondition } from '../../parts/instance-status.ts';
import { Fact, Facts, FirstItems, Nothing, Page, Section } from '../../parts/page.tsx';
import { DetailSkeleton } from '../../parts/skeleton.tsx';
import { byName } from '../../parts/rows.tsx';
import { PlaceLink } from '../../parts/place-link.tsx';
import { ProblemPage } from '../../parts/problem-page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Badge, Status } from '../../parts/status.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Tags } from '../../parts/tags.tsx';
import { Time } from '../../parts/time.tsx';
import { useActions } from '../../session/actions.ts';
import { useApi } from '../../session/context.tsx';
import { useRights } from '../../session/rights.ts';
import { useOrganizations } from '../../shell/tenancy.ts';
import { shellWord } from '../../parts/equivalent.ts';
import { Same } from '../../shell/same.tsx';
import { words } from '../../words/index.ts';
import { platformWords } from '../../words/platform.ts';
import { CheckSection } from './check.tsx';
import { regionCondition } from './condition.ts';
import { DownNotice } from './down.tsx';
import { useRegionFlavors, useSettings, useSimulation, useStorageClasses } from './queries.ts';

const texts = platformWords.regions;
const from = '/platform/regions/$id';

/** One region: what it is, what it needs, and what it offers. */
export function RegionPage() {
  const { id } = useParams({ from });
  const live = useLive('regions', {});
  const region = live.byId.get(id);
  const failure = failureOf(live);
  if (failure) return <ProblemPage error={failure} />;
  if (region) return <Detail region={region} />;
  return live.freshness === 'loading' ? (
    <DetailSkeleton
      tabs
      sections={[
        [6, 2],
        [5, 3],
      ]}
      columns="xl:grid-cols-2"
    />
  ) : (
    <Page title={texts.title}>
      <p className="text-muted">{texts.notFound}</p>
    </Page>
  );
}

/** The parts of the page of a region. Only simulated ones have a simulation. */
export function RegionTabs({ region }: { readonly region: RegionRead }) {
  if (region.spec.type !== 'simulated') return null;
  const base = `/platform/regions/${region.metadata.id}`;
  return (
    <Tabs
      label={region.metadata.name}
      tabs={[
        { to: base, title: texts.overview },
        { to: `${base}/simulation`, title: texts.simulation },
      ]}
    />
  );
}

function Detail({ region }: { readonly region: RegionRead }) {
  const { id, name } = region.metadata;
  const { dialog } = useSearch({ from });
  const navigate = useNavigate({ from });
  const rights = useRights(undefined);
  const isSimulated = region.spec.type === 'simulated';
  const { data: knobs } = useSimulation(id, isSimulated && rights.mayGlobally('region:regions/simulation', 'read'));
  const against = useActions({ service: 'region', path: `/api/v2/regions/${id}`, version: JSON.stringify(region) });
  const condition = regionCondition(region, knobs);
  return (
    <Page
      title={name}
      before={<Badge tone={condition.tone}>{condition.word}</Badge>}
      actions={
        <>
          <ButtonLink to={`/platform/regions/${id}/change`} reason={against('update')}>
            <Icon name="edit" />
            {texts.change}
          </ButtonLink>
          <Button
            kind="danger"
            reason={against('delete')}
            onClick={() => void navigate({ search: { dialog: 'delete' } })}
          >
            <Icon name="trash" />
            {texts.delete}
          </Button>
        </>
      }
    >
      <RegionTabs region={region} />
      {knobs?.service === 'down' && <DownNotice region={region} />}
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <About region={region} />
          <StorageClasses id={id} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {region.spec.type === 'openstack' && <CheckSection region={region} reason={against('check')} />}
          <Flavors id={id} />
          <Instances id={id} />
        </div>
      </div>
      {dialog === 'delete' && (
        <DeleteRegion
          region={region}
          onClose={() => void navigate({ search: {}, replace: true, resetScroll: false })}
        />
      )}
    </Page>
  );
}

function About({ region }: { readonly region: RegionRead }) {
  const { metadata, spec } = region;
  const rights = useRights(undefined);
  const { organizations } = useOrganizations();
  const { data, error } = useSettings(metadata.id, rights.mayGlobally('region:regions', 'update'));
  const tenants = data?.spec.organizationIds;
  const settings = data?.spec[spec.type];
  return (
    <Section title={texts.about}>
      <div className="flex flex-col gap-4">
        <Facts>
          <Fact name={texts.type}>{texts.types[spec.type]}</Fact>
          <Fact name="Id">
            <Identifier id={metadata.id} />
          </Fact>
          {metadata.description !== undefined && <Fact name={words.parts.description}>{metadata.description}</Fact>}
          {metadata.tags && (
            <Fact name={platformWords.tags}>
              <Tags tags={metadata.tags} />
            </Fact>
          )}
          <Fact name={words.parts.created}>
            <Time at={metadata.creationTime} />
          </Fact>
          <Fact name={texts.physicalNetworks}>{spec.features.physicalNetworks ? texts.yes : texts.no}</Fact>
          {data && (
            <Fact name={texts.organizations}>
              {tenants === undefined
                ? platformWords.everyOrganization
                : tenants
                    .map((each) => organizations.find((one) => one.metadata.id === each)?.metadata.name ?? each)
                    .join(', ')}
            </Fact>
          )}
        </Facts>
        {error && <Problem error={error} />}
        {data && (
          <div className="flex flex-col gap-1.5">
            <h3 className="text-muted">{texts.settings}</h3>
            {settings === undefined ? (
              <p className="text-muted">{texts.settingsEmpty}</p>
            ) : (
              <Code label={texts.settings} text={JSON.stringify(settings, undefined, 2)} />
            )}
          </div>
        )}
      </div>
    </Section>
  );
}

const cell = 'px-4 py-1.5';
const head = `${cell} text-start font-medium whitespace-nowrap`;

function Flavors({ id }: { readonly id: string }) {
  const { data, error, isPending } = useRegionFlavors(id);
  const columns = texts.flavorColumns;
  return (
    <Section title={texts.flavors} flush>
      {error && (
        <div className="p-4">
          <Problem error={error} />
        </div>
      )}
      {!error && (data ?? []).length === 0 && (
        <div className="p-4">
          <Nothing loading={isPending}>{texts.flavorsNone}</Nothing>
        </div>
      )}
      {data && data.length > 0 && (
        <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={texts.flavors}>
          <table className="w-full">
            <thead className="text-sm text-muted">
              <tr className="border-b border-line">
                {[words.parts.name, columns.cpus, columns.memory, columns.disk, columns.gpu].map((title) => (
                  <th key={title} scope="col" className={head}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.map(({ metadata, spec }) => (
                <tr key={metadata.id} className="border-b border-line last:border-b-0">
                  <th scope="row" className={head}>
                    {metadata.name}
                  </th>
                  <td className={`${cell} tabular`}>{spec.cpus}</td>
                  <td className={`${cell} whitespace-nowrap tabular`}>{spec.memory} GiB</td>
                  <td className={`${cell} whitespace-nowrap tabular`}>{spec.disk} GB</td>
                  <td className={`${cell} whitespace-nowrap`}>
                    {spec.gpu ? `${spec.gpu.physicalCount} × ${spec.gpu.vendor} ${spec.gpu.model}` : '–'}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

function StorageClasses({ id }: { readonly id: string }) {
  const { data, error, isPending } = useStorageClasses();
  const classes = (data ?? []).filter(({ spec }) => spec.regionId === id);
  return (
    <Section title={texts.storageClasses}>
      {error && <Problem error={error} />}
      {!error && classes.length === 0 && <Nothing loading={isPending}>{texts.storageClassesNone}</Nothing>}
      <ul className="flex flex-col gap-1.5">
        {classes.map(({ metadata, spec }) => (
          <li key={metadata.id} className="flex flex-wrap justify-between gap-x-4">
            <Link
              to="/platform/storage-classes"
              search={{ q: metadata.name }}
              className="font-medium text-accent-text hover:underline"
            >
              {metadata.name}
            </Link>
            <span className="text-muted">{spec.protocols.join(', ')}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Instances({ id }: { readonly id: string }) {
  const live = useLive('instances', { region: id });
  const { items, freshness } = live;
  const failure = failureOf(live);
  return (
    <Section title={texts.instances}>
      {failure && <Problem error={failure} />}
      {items.length === 0 && <Nothing loading={freshness === 'loading'}>{texts.instancesNone}</Nothing>}
      <ul className={`flex max-h-72 flex-col gap-1.5 overflow-y-auto ${freshness === 'stale' ? 'opacity-60' : ''}`}>
        <FirstItems items={items.toSorted(byName)}>
          {(instance) => (
            <li key={instance.metadata.id} className="flex flex-wrap justify-between gap-x-4">
              <PlaceLink
                org={instance.metadata.organizationId}
                project={instance.metadata.projectId}
                noun="instances"
                id={instance.metadata.id}
              >
                {instance.metadata.name}
              </PlaceLink>
              <Status {...instanceCondition(instance)} />
            </li>
          )}
        </FirstItems>
      </ul>
    </Section>
  );
}

function DeleteRegion({ region, onClose }: { readonly region: RegionRead; readonly onClose: () => void }) {
  const { id, name } = region.metadata;
  const api = useApi();
  const navigate = useNavigate();
  const params = { path: { regionID: id } };
  return (
    <DeleteDialog
      name={name}
      remove={() => api.region.DELETE('/api/v2/regions/{regionID}', { params })}
      onClose={onClose}
      onDeleted={() => void navigate({ to: '/platform/regions' })}
    >
      <p>{texts.deletes}</p>
      <Same
        command={`npx unikorn region delete ${shellWord(name)}`}
        sent={{ method: 'DELETE', path: `/region/api/v2/regions/${id}` }}
      />
    </DeleteDialog>
  );
}
