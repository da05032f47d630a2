import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useBlocker, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';

import { dataOf, type InstanceCreate } from '@unikorn/sdk';

import { useFlavors, useImages, useNetworks, useRegions } from '../../catalog/catalog.ts';
import { defined } from '../../defined.ts';
import { useLive } from '../../live/use-live.ts';
import { usePageAddress } from '../../parts/back.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { CheckField, ChoiceField, TextField } from '../../parts/field.tsx';
import { Empty, Page, Section } from '../../parts/page.tsx';
import { ProblemPage } from '../../parts/problem-page.tsx';
import { fieldProblem, Problem } from '../../parts/problem.tsx';
import { linesOf } from '../../parts/lines.ts';
import { useRepeatable } from '../../parts/repeatable.ts';
import { tagFlaw } from '../../parts/tag-edit.ts';
import { TagField } from '../../parts/tag-editor.tsx';
import { metadataOf } from '../../parts/use-form.ts';
import { useApi } from '../../session/context.tsx';
import { useRights } from '../../session/rights.ts';
import { Same } from '../../shell/same.tsx';
import { followWork } from '../../shell/work.ts';
import { words } from '../../words/index.ts';
import { apiPath, pageOf } from '../api.ts';
import { misfitOf } from '../../catalog/fit.ts';
import { useSecurityGroups, useSshAuthorities } from '../choices.ts';
import { AfterRebuild, AllowedSources } from '../fields.tsx';
import { base64, textOf } from '../user-data-encoding.ts';
import { draftOf, dropDraft, isWritten, keepDraft, type Draft } from './draft.ts';
import { FlavorCards } from './flavors.tsx';
import { Review } from './review.tsx';
import { UserDataField } from './user-data-field.tsx';

const texts = words.instance.form;
const from = '/o/$org/p/$project/instances/new';

/** Creates an instance. Every choice is in the address, except user data, which may contain secrets. */
export function CreateInstancePage() {
  const { org, project } = useParams({ from });
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const rights = useRights(org);
  const { identity, compute } = useApi();
  const { byId } = useLive('instances', { organization: org, project });
  const template = search.from === undefined ? undefined : byId.get(search.from);
  const { data: networks, isPending, error: networksError } = useNetworks(org, project);
  const { data: regions = [] } = useRegions(org);
  const networkId = search.network ?? template?.status.networkId ?? networks?.[0]?.metadata.id ?? '';
  const network = networks?.find(({ metadata }) => metadata.id === networkId);
  const regionId = network?.status.regionId ?? '';
  const { data: flavors = [] } = useFlavors(org, regionId);
  const { data: images = [] } = useImages(org, regionId);
  const { data: groups = [] } = useSecurityGroups(networkId);
  const { data: authorities = [] } = useSshAuthorities(org, project);
  const { data: quotas } = useQuery({
    queryKey: ['quotas', org],
    queryFn: () =>
      dataOf(
        identity.GET('/api/v1/organizations/{organizationID}/quotas', { params: { path: { organizationID: org } } }),
      ),
    enabled: rights.may('identity:quotas', 'read'),
    // What is freed elsewhere can be used here.
    refetchInterval: 5_000,
  });
  const [name, setName] = useState(search.name ?? '');
  const [written, setWritten] = useState(draftOf(project));
  const write = (changes: Partial<Draft>) => {
    setWritten({ ...written, ...changes });
    keepDraft(project, changes);
  };
  // The address keeps the choices, and this page what was written, but not if it is loaded again.
  useBlocker({ disabled: !isWritten(written), shouldBlockFn: () => false });
  const { description } = written;
  const userData = written.userData ?? textOf(template?.spec.userData);
  const tags = written.tags ?? template?.metadata.tags ?? [];
  const here = usePageAddress();
  const repeat = useRepeatable();
  const flavorId = search.flavor ?? template?.spec.flavorId ?? '';
  const flavor = flavors.find(({ metadata }) => metadata.id === flavorId);
  const imageId = search.image ?? template?.spec.imageId ?? '';
  const chosenGroups = search.groups?.split(',') ?? template?.spec.networking.securityGroups ?? [];
  const publicIP = (search.publicIP ?? (template?.spec.networking.publicIP === true ? 'yes' : '')) === 'yes';
  const allowedSources = linesOf(search.sources ?? template?.spec.networking.allowedSourceAddresses?.join(',') ?? '');
  const afterRebuild = search.afterRebuild ?? template?.spec.afterRebuild;
  const authority = search.authority ?? template?.spec.sshCertificateAuthorityId ?? '';
  const set = (changes: Partial<Record<keyof typeof search, string>>) => {
    void navigate({
      search: (before) =>
        Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== '')),
      replace: true,
      resetScroll: false,
    });
  };
  const body: InstanceCreate = {
    metadata: metadataOf({ name, description, tags }),
    spec: {
      organizationId: org,
      projectId: project,
      networkId,
      flavorId,
      imageId,
      networking: {
        publicIP,
        ...(chosenGroups.length > 0 ? { securityGroups: [...chosenGroups] } : {}),
        ...(allowedSources.length > 0 ? { allowedSourceAddresses: allowedSources } : {}),
      },
      ...defined({
        sshCertificateAuthorityId: authority === '' ? undefined : authority,
        userData: userData === '' ? undefined : base64(userData),
        deletionProtection: search.protected === 'yes' ? true : undefined,
        afterRebuild,
      }),
    },
  };
  const create = useMutation({
    mutationFn: () => repeat(body, (headers) => dataOf(compute.POST('/api/v2/instances', { body, headers }))),
    onSuccess: (instance) => {
      dropDraft(project);
      followWork({
        id: `${instance.metadata.id} create`,
        title: words.instance.work.create(instance.metadata.name),
        service: 'compute',
        path: apiPath(instance.metadata.id),
        goal: 'ready',
        page: pageOf(instance),
        since: instance.metadata.creationTime,
      });
      void navigate({ to: '/o/$org/p/$project/instances/$id', params: { org, project, id: instance.metadata.id } });
    },
  });
  if (networksError) return <ProblemPage error={networksError} />;
  if (!isPending && networks.length === 0)
    return (
      <Page title={words.instance.create}>
        <Empty
          icon="networks"
          title={texts.noNetwork}
          command={words.network.command}
          action={
            <Link
              to="/o/$org/p/$project/networks"
              params={{ org, project }}
              search={{ dialog: 'new' }}
              className={buttonLook('primary')}
            >
              {words.network.create}
            </Link>
          }
        >
          <p>{texts.noNetworkText}</p>
        </Empty>
      </Page>
    );
  const missing = [
    name.trim() === '' ? texts.name : '',
    networkId === '' ? texts.network : '',
    flavorId === '' ? texts.flavor : '',
    imageId === '' ? texts.image : '',
  ].filter((each) => each !== '');
  const fitting = images.filter((image) => !flavor || misfitOf(flavor, image) === undefined);
  const full = quotas?.quotas.find(({ kind, free }) => (kind === 'servers' || kind === 'gpus') && free < 1);
  const misfits = images.filter((image) => !fitting.includes(image));
  return (
    <Page title={words.instance.create}>
      <form
        className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]"
        onSubmit={(event) => {
          event.preventDefault();
          if (missing.length === 0 && tagFlaw(tags) === undefined) create.mutate();
        }}
      >
        <div className="flex min-w-0 flex-col gap-4">
          <Section title={texts.basics}>
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField
                label={texts.name}
                hint={texts.nameHint}
                value={name}
                maxLength={63}
                autoComplete="off"
                problem={fieldProblem(create.error, 'metadata.name')}
                onChange={setName}
                onBlur={() => {
                  set({ name: name.trim() });
                }}
              />
              <ChoiceField
                label={texts.network}
                hint={
                  network
                    ? texts.regionOf(
                        regions.find(({ metadata }) => metadata.id === regionId)?.metadata.name ?? regionId,
                      )
                    : ''
                }
                value={networkId}
                choices={(networks ?? []).map(({ metadata, status }) => ({
                  value: metadata.id,
                  label: `${metadata.name} (${status.prefix})`,
                }))}
                problem={fieldProblem(create.error, 'spec.networkId')}
                onChange={(value) => {
                  set({ network: value, flavor: '', image: '', groups: '' });
                }}
              />
            </div>
          </Section>
          <Section title={texts.flavor}>
            <FlavorCards
              flavors={flavors}
              quotas={quotas}
              value={flavorId}
              onChange={(value) => {
                set({ flavor: value });
              }}
            />
            {full && (
              <Link
                to="/o/$org/quotas"
                params={{ org }}
                search={{ kind: full.kind, back: here }}
                className="mt-3 inline-block text-accent-text underline underline-offset-2"
              >
                {texts.showUses(full.displayName)}
              </Link>
            )}
          </Section>
          <Section title={texts.image}>
            <div className="flex max-w-md flex-col gap-2">
              <ChoiceField
                label={texts.image}
                hideLabel
                empty={texts.chooseImage}
                value={imageId}
                choices={fitting.map(({ metadata }) => ({ value: metadata.id, label: metadata.name }))}
                problem={fieldProblem(create.error, 'spec.imageId')}
                onChange={(value) => {
                  set({ image: value });
                }}
              />
              {flavor && misfits.length > 0 && (
                <details className="text-sm text-muted">
                  <summary className="w-fit cursor-pointer rounded hover:text-text">
                    {texts.misfits(misfits.length)}
                  </summary>
                  <ul className="mt-1 flex flex-col gap-0.5">
                    {misfits.map((image) => (
                      <li key={image.metadata.id}>
                        {image.metadata.name}: {misfitOf(flavor, image)}
                      </li>
                    ))}
                  </ul>
                </details>
              )}
            </div>
          </Section>
          <Section title={texts.access}>
            <div className="flex flex-col gap-4">
              <CheckField
                label={texts.publicIP}
                hint={texts.publicIPHint}
                checked={publicIP}
                onChange={(checked) => {
                  set({ publicIP: checked ? 'yes' : '' });
                }}
              />
              <fieldset>
                <legend className="mb-1 font-medium">{texts.groups}</legend>
                {groups.length === 0 && <p className="text-muted">{texts.noGroups}</p>}
                <div className="flex flex-col gap-1">
                  {groups.map(({ metadata }) => (
                    <CheckField
                      key={metadata.id}
                      label={metadata.name}
                      checked={chosenGroups.includes(metadata.id)}
                      onChange={(checked) => {
                        const others = chosenGroups.filter((id) => id !== metadata.id);
                        set({ groups: (checked ? [...others, metadata.id] : others).join(',') });
                      }}
                    />
                  ))}
                </div>
              </fieldset>
              <div className="max-w-md">
                <ChoiceField
                  label={texts.authority}
                  hint={texts.authorityHint}
                  empty={texts.noAuthority}
                  value={authority}
                  choices={authorities.map(({ metadata }) => ({ value: metadata.id, label: metadata.name }))}
                  onChange={(value) => {
                    set({ authority: value });
                  }}
                />
              </div>
              <div className="max-w-md">
                <AllowedSources
                  key={`sources of ${template?.metadata.id ?? ''}`}
                  value={allowedSources}
                  problem={fieldProblem(create.error, 'spec.networking.allowedSourceAddresses')}
                  onChange={(prefixes) => {
                    set({ sources: prefixes.join(',') });
                  }}
                />
              </div>
            </div>
          </Section>
          <Section title={texts.more}>
            <div className="flex flex-col gap-4">
              <UserDataField
                // The text of the instance that is copied arrives later.
                key={`data of ${template?.metadata.id ?? ''}`}
                value={userData}
                problem={fieldProblem(create.error, 'spec.userData')}
                onChange={(text) => {
                  write({ userData: text });
                }}
              />
              <TextField
                label={words.parts.description}
                hint={texts.descriptionHint}
                value={description}
                maxLength={4096}
                problem={fieldProblem(create.error, 'metadata.description')}
                onChange={(text) => {
                  write({ description: text });
                }}
              />
              <TagField
                label={words.parts.tags}
                value={tags}
                problem={fieldProblem(create.error, 'metadata.tags')}
                onChange={(next) => {
                  write({ tags: next });
                }}
              />
              <CheckField
                label={words.instance.settings.protection}
                hint={words.instance.settings.protectionHint}
                checked={search.protected === 'yes'}
                onChange={(checked) => {
                  set({ protected: checked ? 'yes' : '' });
                }}
              />
              <div className="max-w-md">
                <AfterRebuild
                  value={afterRebuild}
                  onChange={(value) => {
                    set({ afterRebuild: value });
                  }}
                />
              </div>
            </div>
          </Section>
        </div>
        <Review
          body={body}
          names={{
            network: network?.metadata.name ?? networkId,
            flavor: flavor?.metadata.name ?? flavorId,
            image: images.find(({ metadata }) => metadata.id === imageId)?.metadata.name ?? imageId,
          }}
          same={
            <Same
              noun="instance"
              name={body.metadata.name}
              body={body}
              known={[networks ?? [], flavors, images, groups, authorities]}
              organization={org}
              project={project}
              sent={{ method: 'POST', path: '/compute/api/v2/instances', body }}
            />
          }
        >
          {create.error && <Problem error={create.error} />}
          <Button
            kind="primary"
            type="submit"
            busy={create.isPending}
            reason={missing.length > 0 ? texts.missing(missing.join(', ').toLowerCase()) : tagFlaw(tags)}
          >
            {words.instance.create}
          </Button>
        </Review>
      </form>
    </Page>
  );
}
