import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';

import { dataOf, type Quotas } from '@unikorn/sdk';

import { defined } from '../defined.ts';
import { usePageAddress, useReturn } from '../parts/back.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { ChangeOfAnother, FormDialog } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { Notice, Page } from '../parts/page.tsx';
import { CardsSkeleton } from '../parts/skeleton.tsx';
import { PlaceLink } from '../parts/place-link.tsx';
import { Problem } from '../parts/problem.tsx';
import { useUnknownValue } from '../parts/unknown-value.ts';
import { useForm } from '../parts/use-form.ts';
import { useApi } from '../session/context.tsx';
import { useActions } from '../session/actions.ts';
import { useRights } from '../session/rights.ts';
import { useProjects } from '../shell/tenancy.ts';
import { number, words } from '../words/index.ts';
import { amount, kindWord, pageOf, shares, type Quota } from './amount.ts';
import { useResourceNames } from './resource-names.ts';

const texts = words.quota;
const from = '/o/$org/quotas';

function keyOf(organization: string) {
  return ['quotas', organization] as const;
}

/** What an organization may use, what it uses, and which resources use it. */
export function QuotasPage() {
  const { org } = useParams({ from });
  const { kind, dialog, back } = useSearch({ from });
  const goBack = useReturn();
  const navigate = useNavigate({ from });
  const { identity } = useApi();
  const { data, error } = useQuery({
    queryKey: keyOf(org),
    queryFn: () =>
      dataOf(
        identity.GET('/api/v1/organizations/{organizationID}/quotas', {
          params: { path: { organizationID: org }, query: { include: 'allocations' } },
        }),
      ),
    refetchInterval: 5_000,
  });
  useUnknownValue('kind', kind, data?.quotas.some((quota) => quota.kind === kind) !== false);
  const against = useActions({ service: 'identity', path: `/api/v1/organizations/${org}/quotas`, version: '' });
  return (
    <Page
      title={texts.title}
      actions={
        <Button
          reason={against('update')}
          onClick={() => void navigate({ search: (before) => ({ ...before, dialog: 'change' }) })}
        >
          <Icon name="edit" />
          {texts.change}
        </Button>
      }
    >
      {back !== undefined && (
        <Notice>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p>{texts.freeOne}</p>
            <Button
              onClick={() => {
                goBack(back);
              }}
            >
              {texts.backToDraft}
            </Button>
          </div>
        </Notice>
      )}
      {error && <Problem error={error} />}
      {!data && !error && <CardsSkeleton cards={6} className="h-25.5" />}
      {data && (
        <ul className="grid gap-3 lg:grid-cols-2">
          {data.quotas.filter(isCounted).map((quota) => (
            <QuotaCard
              key={quota.kind}
              org={org}
              quota={quota}
              open={kind === quota.kind}
              onToggle={(open) =>
                void navigate({
                  search: defined({ kind: open ? quota.kind : undefined, back }),
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          ))}
        </ul>
      )}
      {data && dialog === 'change' && against('update') === undefined && (
        <LimitsForm
          org={org}
          quotas={data.quotas}
          onClose={() => void navigate({ search: defined({ back }), replace: true, resetScroll: false })}
        />
      )}
    </Page>
  );
}

/** Nothing may be used of the others, and nothing is. */
function isCounted({ quantity, used }: Quota): boolean {
  return quantity > 0 || used > 0;
}

function QuotaCard({
  org,
  quota,
  open,
  onToggle,
}: {
  readonly org: string;
  readonly quota: Quota;
  readonly open: boolean;
  readonly onToggle: (open: boolean) => void;
}) {
  const { committed, reserved } = shares(quota);
  const full = quota.free <= 0;
  const uses = quota.allocations ?? [];
  return (
    <li className={`min-w-0 rounded-lg border border-line bg-surface ${open ? 'lg:col-span-2' : ''}`}>
      <div className="flex flex-col gap-2 p-4">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 className="font-semibold">{quota.displayName}</h2>
          <p className="tabular">
            {quota.kind === 'servers' && quota.used > 0 ? (
              <Link
                to="/o/$org/instances"
                params={{ org }}
                aria-label={texts.usedInstances(number(quota.used))}
                className="font-semibold text-accent-text hover:underline"
              >
                {amount(quota.used, quota)}
              </Link>
            ) : (
              <span className="font-semibold">{amount(quota.used, quota)}</span>
            )}
            <span className="text-muted"> of {amount(quota.quantity, quota)}</span>
          </p>
        </div>
        <div
          role="meter"
          aria-label={quota.displayName}
          aria-valuemin={0}
          aria-valuemax={quota.quantity}
          aria-valuenow={quota.used}
          aria-valuetext={texts.summary(amount(quota.used, quota), amount(quota.quantity, quota))}
          className="flex h-2 overflow-hidden rounded-full bg-sunken forced-color-adjust-none"
        >
          <span className={full ? 'bg-bad-mark' : 'bg-accent'} style={{ width: `${committed}%` }} />
          <span className="bg-warn-mark" style={{ width: `${reserved}%` }} />
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-muted">
          <p className="min-w-0">{quota.description}</p>
          <button
            type="button"
            aria-expanded={open}
            aria-label={`${open ? texts.hideUses : texts.showUses}: ${quota.displayName}`}
            className="-mx-1 inline-flex h-6 items-center gap-1 rounded px-1 text-accent-text hover:underline"
            onClick={() => {
              onToggle(!open);
            }}
          >
            {open ? texts.hideUses : texts.showUses}
            <Icon name="chevronDown" className={`size-3.5 ${open ? 'rotate-180' : ''}`} />
          </button>
        </div>
        {full && <p className="text-bad">{texts.full}</p>}
      </div>
      {open && <Uses org={org} quota={quota} uses={uses} />}
    </li>
  );
}

function Uses({
  org,
  quota,
  uses,
}: {
  readonly org: string;
  readonly quota: Quota;
  readonly uses: NonNullable<Quota['allocations']>;
}) {
  const { projects } = useProjects(org);
  const names = useResourceNames(org);
  const rights = useRights(org);
  const here = usePageAddress();
  if (uses.length === 0) return <p className="border-t border-line p-4 text-muted">{texts.noUses}</p>;
  return (
    <div className="relative overflow-x-auto border-t border-line">
      <table aria-label={texts.uses(quota.displayName)} className="w-full">
        <thead className="text-sm text-muted">
          <tr className="border-b border-line">
            {[texts.project, texts.kind, texts.resource, texts.quantity, words.parts.actions].map((title, index) => (
              <th
                key={title}
                scope="col"
                className={`px-4 py-1.5 font-medium ${index === 3 ? 'text-end' : 'text-start'}`}
              >
                {index === 4 ? <span className="sr-only">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {uses.map(({ id, projectId, resource, committed, reserved }) => (
            <tr key={id} className="border-b border-line last:border-b-0">
              <td className="px-4 py-1.5">
                {projects.find(({ metadata }) => metadata.id === projectId)?.metadata.name ?? projectId}
              </td>
              <td className="px-4 py-1.5 text-muted">{kindWord(resource.kind)}</td>
              <td className="px-4 py-1.5">
                <ResourceName org={org} project={projectId} kind={resource.kind} id={resource.id}>
                  {names(resource.id)}
                </ResourceName>
              </td>
              <td className="px-4 py-1.5 text-end tabular">
                {amount(committed + reserved, quota)}
                {reserved > 0 && <span className="block text-sm text-muted">{texts.reservedHint}</span>}
              </td>
              <td className="px-4 py-1.5 text-end">
                {pageOf(resource.kind) === 'instances' && rights.may('compute:instances', 'delete', projectId) && (
                  <Link
                    to="/o/$org/p/$project/instances/$id"
                    params={{ org, project: projectId, id: resource.id }}
                    search={{ dialog: 'delete', back: here }}
                    aria-label={words.parts.deleteTitle(names(resource.id))}
                    className="text-bad hover:underline"
                  >
                    {words.parts.remove}
                  </Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A link to the page of a resource, if its kind has one. */
function ResourceName({
  org,
  project,
  kind,
  id,
  children,
}: {
  readonly org: string;
  readonly project: string;
  readonly kind: string;
  readonly id: string;
  readonly children: string;
}) {
  const noun = pageOf(kind);
  if (noun === undefined) return <span className="font-medium">{children}</span>;
  return (
    <PlaceLink org={org} project={project} noun={noun} id={id}>
      {children}
    </PlaceLink>
  );
}

/** What the form changes: uses change on their own. */
function limitsOf({ quotas }: Pick<Quotas, 'quotas'>) {
  return { metadata: {}, spec: quotas.map(({ kind, quantity }) => [kind, quantity] as const) };
}

function draftOf(limits: ReturnType<typeof limitsOf> | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries((limits?.spec ?? []).map(([kind, quantity]) => [kind, String(quantity)]));
}

function LimitsForm({
  org,
  quotas,
  onClose,
}: {
  readonly org: string;
  readonly quotas: Quotas['quotas'];
  readonly onClose: () => void;
}) {
  const { identity } = useApi();
  const queries = useQueryClient();
  const fields = Object.fromEntries(quotas.map(({ kind, displayName }) => [kind, { label: displayName }]));
  const form = useForm(limitsOf({ quotas }), draftOf, fields);
  const save = () => {
    const path = '/api/v1/organizations/{organizationID}/quotas';
    const params = { path: { organizationID: org } };
    const limits = Object.entries(form.draft).map(([kind, text]) => ({ kind, quantity: Number(text) }));
    form.change(
      async () => {
        const { data, response } = await identity.GET(path, { params });
        return { data: data && limitsOf(data), response };
      },
      (headers) => identity.PUT(path, { params, headers, body: { quotas: limits } }),
      async () => {
        await queries.invalidateQueries({ queryKey: keyOf(org) });
        onClose();
      },
    );
  };
  const wrong = quotas.find(({ kind }) => !/^\d{1,16}$/.test(form.draft[kind] ?? ''));
  return (
    <FormDialog
      title={texts.changeTitle}
      action={texts.save}
      busy={form.busy}
      error={form.error}
      reason={wrong && texts.wholeNumber(wrong.displayName)}
      onClose={onClose}
      onSave={save}
    >
      <ChangeOfAnother form={form} />
      {quotas.map((quota) => (
        <TextField
          key={quota.kind}
          {...form.field(quota.kind)}
          hint={`${quota.description}. ${texts.used}: ${amount(quota.used, quota)}`}
          maxLength={16}
          autoComplete="off"
        />
      ))}
    </FormDialog>
  );
}
