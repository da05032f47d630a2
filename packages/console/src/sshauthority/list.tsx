import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';

import { dataOf, type SshCertificateAuthority } from '@unikorn/sdk';

import { useLive } from '../live/use-live.ts';
import { TextField } from '../parts/field.tsx';
import { DeleteDialog, FormDialog } from '../parts/form.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { useListState } from '../parts/list-state.ts';
import { PlaceLink } from '../parts/place-link.tsx';
import { fieldProblem } from '../parts/problem.tsx';
import { createdColumn, deleteAction, idOf, liveRows, nameColumn, nameOf } from '../parts/rows.tsx';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { Same } from '../shell/same.tsx';
import { words } from '../words/index.ts';
import { fingerprintOf, isPrivateKey, keyType } from './fingerprint.ts';

const texts = words.sshAuthority;
const from = '/o/$org/p/$project/ssh-authorities';

/** The SSH authorities of a project, live. */
export function SshAuthoritiesPage() {
  const { org, project } = useParams({ from });
  const state = useListState();
  const rights = useRights(org);
  const live = useLive('sshAuthorities', { organization: org, project });
  const { items } = live;
  const { items: instances } = useLive('instances', { organization: org, project });
  const chosen = items.find(({ metadata }) => metadata.id === state.search.id);
  const refused = (verb: 'create' | 'delete') =>
    rights.may('region:sshcertificateauthorities:v2', verb, project) ? undefined : words.parts.missingRight;
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
        createReason={refused('create')}
        columns={[
          nameColumn(),
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
            cell: ({ metadata }) => (
              <span className="flex gap-2">
                {instances
                  .filter(({ spec }) => spec.sshCertificateAuthorityId === metadata.id)
                  .map((instance) => (
                    <PlaceLink
                      key={instance.metadata.id}
                      org={org}
                      project={project}
                      noun="instances"
                      id={instance.metadata.id}
                    >
                      {instance.metadata.name}
                    </PlaceLink>
                  ))}
              </span>
            ),
          },
          createdColumn(),
        ]}
        actions={[deleteAction(state, refused('delete'))]}
      />
      {state.search.dialog === 'new' && <AuthorityForm org={org} project={project} onClose={state.close} />}
      {state.search.dialog === 'delete' && chosen && <DeleteAuthority authority={chosen} onClose={state.close} />}
    </>
  );
}

const textOf = ({ metadata, spec }: SshCertificateAuthority) => `${metadata.name} ${metadata.id} ${spec.publicKey}`;

function Fingerprint({ publicKey }: { readonly publicKey: string }) {
  const { data } = useQuery({
    queryKey: ['fingerprint', publicKey],
    queryFn: () => fingerprintOf(publicKey),
    staleTime: Infinity,
  });
  return <span className="font-mono text-sm">{data ?? ''}</span>;
}

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
  const [name, setName] = useState('');
  const [publicKey, setPublicKey] = useState('');
  const secret = isPrivateKey(publicKey);
  const body = {
    metadata: { name: name.trim() },
    spec: { publicKey: publicKey.trim(), organizationId: org, projectId: project },
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => dataOf(region.POST('/api/v2/sshcertificateauthorities', { body })),
    onSuccess: onClose,
  });
  const missing = [
    [words.parts.name, name],
    [texts.publicKey, publicKey],
  ].find(([, value]) => value?.trim() === '');
  return (
    <FormDialog
      title={texts.create}
      action={texts.create}
      busy={isPending}
      error={error}
      reason={secret ? texts.privateKey : missing ? `${missing[0] ?? ''}: ${words.parts.required}` : undefined}
      onClose={onClose}
      onSave={() => {
        mutate();
      }}
    >
      <TextField
        label={words.parts.name}
        hint={words.parts.nameHint}
        problem={fieldProblem(error, 'metadata.name')}
        value={name}
        onChange={setName}
        maxLength={63}
        autoComplete="off"
        autoFocus
      />
      <TextField
        label={texts.publicKey}
        hint={texts.publicKeyHint}
        problem={secret ? texts.privateKey : fieldProblem(error, 'spec.publicKey')}
        value={publicKey}
        onChange={setPublicKey}
        rows={4}
        mono
      />
      {!secret && (
        <Same
          noun="sshca"
          name={body.metadata.name}
          body={body}
          organization={org}
          project={project}
          sent={{ method: 'POST', path: '/region/api/v2/sshcertificateauthorities', body }}
        />
      )}
    </FormDialog>
  );
}

function DeleteAuthority({
  authority,
  onClose,
}: {
  readonly authority: SshCertificateAuthority;
  readonly onClose: () => void;
}) {
  const { region } = useApi();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      dataOf(
        region.DELETE('/api/v2/sshcertificateauthorities/{sshCertificateAuthorityID}', {
          params: { path: { sshCertificateAuthorityID: authority.metadata.id } },
        }),
      ),
    onSuccess: onClose,
  });
  return (
    <DeleteDialog
      name={authority.metadata.name}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => {
        mutate();
      }}
    >
      <p>{texts.deletes}</p>
      <Same
        noun="sshca"
        name={authority.metadata.name}
        verb="delete"
        organization={authority.metadata.organizationId}
        project={authority.metadata.projectId}
        sent={{ method: 'DELETE', path: `/region/api/v2/sshcertificateauthorities/${authority.metadata.id}` }}
      />
    </DeleteDialog>
  );
}
