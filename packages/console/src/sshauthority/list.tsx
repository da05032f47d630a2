import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';

import { dataOf, type Instance, type SshCertificateAuthority } from '@unikorn/sdk';

import { useLive } from '../live/use-live.ts';
import { TextField } from '../parts/field.tsx';
import { ItemForm, MetadataFields, NameField } from '../parts/form.tsx';
import { InstancesLink } from '../parts/instances-link.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { useChosen, useListState } from '../parts/list-state.ts';
import { askedBelow, createdColumn, deleteAction, idOf, liveRows, nameColumn, nameOf } from '../parts/rows.tsx';
import { commonDraftOf, commonFields, metadataOf, missingOf, useForm } from '../parts/use-form.ts';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { DeleteResource } from '../shell/delete-resource.tsx';
import { Same, sentTo } from '../shell/same.tsx';
import { words } from '../words/index.ts';
import { fingerprintOf, isPrivateKey, keyType } from './fingerprint.ts';

const texts = words.sshAuthority;
const from = '/o/$org/p/$project/ssh-authorities';

/** The SSH authorities of a project, live. */
export function SshAuthoritiesPage() {
  const { org, project } = useParams({ from });
  const state = useListState();
  const navigate = useNavigate();
  const rights = useRights(org);
  const live = useLive('sshAuthorities', { organization: org, project });
  const { items: instances } = useLive('instances', { organization: org, project });
  const chosen = useChosen(state, (id) => live.byId.get(id));
  const pageOf = (row: SshCertificateAuthority) => `/o/${org}/p/${project}/ssh-authorities/${idOf(row)}`;
  return (
    <>
      <ListPage
        texts={texts}
        icon="sshAuthorities"
        state={state}
        {...liveRows(live)}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        createReason={
          rights.may('region:sshcertificateauthorities:v2', 'create', project) ? undefined : words.parts.missingRight
        }
        columns={[
          nameColumn(pageOf),
          { key: 'type', title: texts.type, cell: ({ spec }) => keyType(spec.publicKey) },
          {
            key: 'fingerprint',
            title: texts.fingerprint,
            width: 'minmax(12rem, 3fr)',
            cell: ({ spec }) => <Fingerprint publicKey={spec.publicKey} />,
          },
          {
            key: 'users',
            title: texts.users,
            cell: ({ metadata: { id } }) => (
              <InstancesLink
                org={org}
                project={project}
                instances={usersOf(instances, id).length}
                by={{ authority: id }}
              />
            ),
          },
          createdColumn(),
        ]}
        onOpen={(row) => {
          void navigate({ to: pageOf(row) });
        }}
        asked={askedBelow('region', '/api/v2/sshcertificateauthorities')}
        actions={[deleteAction(state)]}
      />
      {state.search.dialog === 'new' && <AuthorityForm org={org} project={project} onClose={state.close} />}
      {state.search.dialog === 'delete' && chosen && <DeleteAuthority authority={chosen} onClose={state.close} />}
    </>
  );
}

/** The instances that trust an authority. */
export function usersOf(instances: readonly Instance[], id: string): readonly Instance[] {
  return instances.filter(({ spec }) => spec.sshCertificateAuthorityId === id);
}

const textOf = ({ metadata, spec }: SshCertificateAuthority) => `${metadata.name} ${metadata.id} ${spec.publicKey}`;

export function Fingerprint({ publicKey }: { readonly publicKey: string }) {
  const { data } = useQuery({
    queryKey: ['fingerprint', publicKey],
    queryFn: () => fingerprintOf(publicKey),
    staleTime: Infinity,
  });
  return <span className="font-mono text-sm">{data ?? ''}</span>;
}

const fields = { ...commonFields, publicKey: { label: texts.publicKey, path: 'spec.publicKey' } };

function AuthorityForm({
  org,
  project,
  onClose,
}: {
  readonly org: string;
  readonly project: string;
  readonly onClose: () => void;
}) {
  const { region } = useApi();
  const form = useForm(undefined, () => ({ ...commonDraftOf(undefined), publicKey: '' }), fields);
  const { publicKey } = form.draft;
  const secret = isPrivateKey(publicKey);
  const body = {
    metadata: metadataOf(form.draft),
    spec: { publicKey: publicKey.trim(), organizationId: org, projectId: project },
  };
  const key = form.field('publicKey');
  return (
    <ItemForm
      form={form}
      name={undefined}
      create={texts.create}
      createAction={texts.create}
      reason={
        secret
          ? texts.privateKey
          : missingOf([
              [fields.name.label, form.draft.name],
              [texts.publicKey, publicKey],
            ])
      }
      onClose={onClose}
      onSave={() => {
        form.create((headers) => dataOf(region.POST('/api/v2/sshcertificateauthorities', { headers, body })), onClose);
      }}
    >
      <NameField {...form.field('name')} />
      <TextField {...key} hint={texts.publicKeyHint} problem={secret ? texts.privateKey : key.problem} rows={4} mono />
      <MetadataFields description={form.field('description')} tags={form.field('tags')} />
      {!secret && (
        <Same
          noun="sshca"
          name={body.metadata.name}
          body={body}
          organization={org}
          project={project}
          sent={sentTo('/region/api/v2/sshcertificateauthorities', undefined, body)}
        />
      )}
    </ItemForm>
  );
}

export function DeleteAuthority({
  authority: { metadata },
  onClose,
  onDeleted,
}: {
  readonly authority: SshCertificateAuthority;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}) {
  const { region } = useApi();
  const params = { path: { sshCertificateAuthorityID: metadata.id } };
  return (
    <DeleteResource
      noun="sshca"
      name={metadata.name}
      text={texts.deletes}
      organization={metadata.organizationId}
      project={metadata.projectId}
      path={`/region/api/v2/sshcertificateauthorities/${metadata.id}`}
      remove={() => dataOf(region.DELETE('/api/v2/sshcertificateauthorities/{sshCertificateAuthorityID}', { params }))}
      onClose={onClose}
      onDeleted={onDeleted}
    />
  );
}
