import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';

import { quantityText, type Organization, type Quotas } from '@unikorn/sdk';

import { failureOf } from '../../live/hub.ts';
import { useLive } from '../../live/use-live.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { Identifier } from '../../parts/copy.tsx';
import { Icon } from '../../parts/icon.tsx';
import { InstancesLink } from '../../parts/instances-link.tsx';
import { Fact, Facts, Nothing, Page, Section } from '../../parts/page.tsx';
import { DetailSkeleton } from '../../parts/skeleton.tsx';
import { ProblemPage } from '../../parts/problem-page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Badge, conditionOf } from '../../parts/status.tsx';
import { Tags } from '../../parts/tags.tsx';
import { Time } from '../../parts/time.tsx';
import { askedBelow } from '../../parts/rows.tsx';
import { useActions } from '../../session/actions.ts';
import { number, words } from '../../words/index.ts';
import { platformWords } from '../../words/platform.ts';
import { useContents } from './contents.ts';
import { DomainSection } from './domain.tsx';
import { DeleteOrganization, OrganizationForm } from './form.tsx';

const texts = platformWords.organizations;
/** One organization, with the way to its projects, people and quotas. For operators. */
export function OrganizationPage() {
  const { id } = useParams({ from: '/platform/organizations/$id' });
  return <Found id={id} />;
}

/** The same for the administrators of the organization. */
export function OrganizationSettingsPage() {
  const { org } = useParams({ from: '/o/$org/settings' });
  return <Found id={org} />;
}

function Found({ id }: { readonly id: string }) {
  const live = useLive('organizations', {});
  const organization = live.byId.get(id);
  const failure = failureOf(live);
  if (failure) return <ProblemPage error={failure} />;
  if (organization) return <Detail organization={organization} />;
  return live.freshness === 'loading' ? (
    <DetailSkeleton sections={[[6], [4]]} />
  ) : (
    <Page title={texts.title}>
      <p className="text-muted">{texts.notFound}</p>
    </Page>
  );
}

function Detail({ organization }: { readonly organization: Organization }) {
  const { metadata, spec, status } = organization;
  const { id } = metadata;
  const { dialog } = useSearch({ strict: false });
  const navigate = useNavigate();
  const open = (name: 'edit' | 'delete') => void navigate({ to: '.', search: { dialog: name }, resetScroll: false });
  const against = useActions(askedBelow('identity', '/api/v1/organizations')(organization));
  const { data, error, isPending } = useContents(id);
  const condition = conditionOf(organization);
  const close = () => void navigate({ to: '.', search: {}, replace: true, resetScroll: false });
  return (
    <Page
      title={metadata.name}
      before={<Badge tone={condition.tone}>{condition.word}</Badge>}
      actions={
        <>
          <Button
            reason={against('update')}
            onClick={() => {
              open('edit');
            }}
          >
            <Icon name="edit" />
            {words.parts.edit}
          </Button>
          <Button
            kind="danger"
            reason={against('delete')}
            onClick={() => {
              open('delete');
            }}
          >
            <Icon name="trash" />
            {words.parts.remove}
          </Button>
        </>
      }
    >
      {error && <Problem error={error} />}
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <Section title={texts.about}>
            <Facts>
              <Fact name="Id">
                <Identifier id={id} />
              </Fact>
              {metadata.description !== undefined && <Fact name={words.parts.description}>{metadata.description}</Fact>}
              <Fact name={platformWords.tags}>
                <Tags tags={metadata.tags} />
              </Fact>
              <Fact name={words.parts.created}>
                <Time at={metadata.creationTime} />
              </Fact>
              <Fact name={texts.type}>{texts.types[spec.organizationType]}</Fact>
              {spec.domain !== undefined && (
                <Fact name={texts.domain}>
                  {spec.domain} ({status?.domainVerified === true ? texts.domainVerified : texts.domainUnverified})
                </Fact>
              )}
            </Facts>
          </Section>
          {spec.domain !== undefined && <DomainSection organization={organization} reason={against('verification')} />}
          <Section
            title={texts.contents}
            actions={
              <span className="flex gap-2">
                <Link to="/o/$org/projects" params={{ org: id }} className={buttonLook()}>
                  {texts.projects}
                </Link>
                <Link to="/o/$org/users" params={{ org: id }} className={buttonLook()}>
                  {texts.people}
                </Link>
              </span>
            }
          >
            {(data?.projects ?? []).length === 0 && <Nothing loading={isPending}>{texts.contentsNone}</Nothing>}
            <ul className="flex flex-col gap-1.5">
              {data?.projects.map((project) => (
                <li key={project.metadata.id} className="flex flex-wrap justify-between gap-x-4">
                  <Link
                    to="/o/$org/p/$project/instances"
                    params={{ org: id, project: project.metadata.id }}
                    className="font-medium text-accent-text hover:underline"
                  >
                    {project.metadata.name}
                  </Link>
                  <InstancesLink
                    org={id}
                    project={project.metadata.id}
                    instances={
                      data.instances.filter((instance) => instance.metadata.projectId === project.metadata.id).length
                    }
                    by={{}}
                  />
                </li>
              ))}
            </ul>
            {data && (
              <p className="mt-3">
                <Link to="/o/$org/users" params={{ org: id }} className="text-accent-text hover:underline">
                  {texts.peopleOf(data.people.length)}
                </Link>
              </p>
            )}
          </Section>
        </div>
        <Section
          title={texts.quotas}
          actions={
            <Link to="/o/$org/quotas" params={{ org: id }} className={buttonLook()}>
              {texts.changeLimits}
            </Link>
          }
        >
          <ul className="flex flex-col gap-3">
            {data?.quotas
              .filter(({ quantity, used }) => quantity > 0 || used > 0)
              .map((quota) => (
                <li key={quota.kind}>
                  <QuotaBar quota={quota} />
                </li>
              ))}
          </ul>
        </Section>
      </div>
      {dialog === 'edit' && <OrganizationForm organization={organization} onClose={close} />}
      {dialog === 'delete' && <DeleteOrganization organization={organization} onClose={close} />}
    </Page>
  );
}

function QuotaBar({ quota }: { readonly quota: Quotas['quotas'][number] }) {
  const amount = (value: number) => (quota.format === 'binary' ? quantityText(value, 'binary') : number(value));
  const text = `${amount(quota.used)} of ${amount(quota.quantity)}`;
  return (
    <div className="flex flex-col gap-1">
      <p className="flex justify-between gap-4">
        <span>{quota.displayName}</span>
        <span className="text-muted tabular">{text}</span>
      </p>
      <div
        role="meter"
        aria-label={quota.displayName}
        aria-valuemin={0}
        aria-valuemax={quota.quantity}
        aria-valuenow={quota.used}
        aria-valuetext={text}
        className="h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <div
          className={`h-full ${quota.free <= 0 ? 'bg-bad-mark' : 'bg-accent'}`}
          style={{ width: `${Math.min(100, (100 * quota.used) / Math.max(quota.quantity, 1))}%` }}
        />
      </div>
    </div>
  );
}
