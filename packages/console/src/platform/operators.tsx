import { useQuery, useQueryClient } from '@tanstack/react-query';

import { dataOf } from '@unikorn/sdk';

import { TextField } from '../parts/field.tsx';
import { Choices, DeleteDialog, ItemForm } from '../parts/form.tsx';
import { useChosen, useListState } from '../parts/list-state.ts';
import { shellWord } from '../parts/equivalent.ts';
import { mergedList, type FieldsOf } from '../parts/three-way.ts';
import { missingOf, useForm } from '../parts/use-form.ts';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { Same } from '../shell/same.tsx';
import { words } from '../words/index.ts';
import { platformWords } from '../words/platform.ts';
import { RefreshedList } from './refreshed.tsx';

const texts = platformWords.operators;
const roleNames = ['platform-administrator', 'platform-reader'] as const;
const queryKey = ['globalroles'];

function useHolders() {
  const { identity } = useApi();
  return useQuery({ queryKey, queryFn: () => dataOf(identity.GET('/api/v1/globalroles')), refetchInterval: 15_000 });
}

type Holder = NonNullable<ReturnType<typeof useHolders>['data']>[number];

function pathOf(subject: string): string {
  return `/api/v1/globalroles/${encodeURIComponent(subject)}`;
}

/** A person can have roles of the configuration and granted ones. */
function idOf({ subject, source }: Holder): string {
  return `${source} ${subject}`;
}

/** Who has roles on the whole platform. */
export function OperatorsPage() {
  const state = useListState();
  const rights = useRights(undefined);
  const query = useHolders();
  const { data } = query;
  const { dialog } = state.search;
  const chosen = useChosen(state, (id) => data?.find((holder) => idOf(holder) === id));
  // The service answers for the person, whose other row can have granted roles.
  const fixed = ({ source }: Holder) => (source === 'configuration' ? texts.fixed : undefined);
  const open = (name: string) => (holder: Holder) => {
    state.open(name, idOf(holder));
  };
  return (
    <>
      <RefreshedList
        texts={texts}
        icon="people"
        state={state}
        query={query}
        rows={data}
        order="subject"
        idOf={idOf}
        nameOf={({ subject }) => subject}
        textOf={({ subject, roles }) => `${subject} ${roles.join(' ')}`}
        createReason={rights.mayGlobally('identity:roles', 'update') ? undefined : words.parts.missingRight}
        columns={[
          {
            key: 'subject',
            title: texts.subject,
            width: 'minmax(10rem, 2fr)',
            sort: ({ subject }) => subject,
            cell: ({ subject }) => <span className="font-medium">{subject}</span>,
          },
          { key: 'roles', title: texts.roles, cell: ({ roles }) => roles.join(', ') },
          { key: 'source', title: texts.source, cell: ({ source }) => texts.sources[source] },
        ]}
        asked={(holder) => ({ service: 'identity', path: pathOf(holder.subject), version: JSON.stringify(holder) })}
        actions={[
          { title: texts.change, icon: 'edit', reason: fixed, asks: 'update', run: open('edit') },
          { title: texts.revoke, icon: 'trash', danger: true, reason: fixed, asks: 'delete', run: open('delete') },
        ]}
      />
      {dialog === 'new' && <GrantForm holders={data ?? []} onClose={state.close} />}
      {dialog === 'edit' && chosen && <GrantForm holder={chosen} onClose={state.close} />}
      {dialog === 'delete' && chosen && <Revoke holder={chosen} onClose={state.close} />}
    </>
  );
}

interface Draft {
  readonly subject: string;
  readonly roles: readonly string[];
}

const fields: FieldsOf<Draft> = {
  subject: { label: texts.subject, path: 'subject' },
  roles: { label: texts.roles, path: 'roles', merge: mergedList },
};

/** The roles of a person in the form that all objects of forms have. */
function itemOf({ subject, roles }: Pick<Holder, 'subject' | 'roles'>) {
  return { metadata: { name: subject }, spec: { roles: roles.toSorted() } };
}

function draftOf(item: ReturnType<typeof itemOf> | undefined): Draft {
  return { subject: item?.metadata.name ?? '', roles: item?.spec.roles ?? [] };
}

/** Grants roles, which replace those that were granted before. */
function GrantForm({
  holder,
  holders = [],
  onClose,
}: {
  readonly holder?: Holder;
  readonly holders?: readonly Holder[];
  readonly onClose: () => void;
}) {
  const { identity } = useApi();
  const queries = useQueryClient();
  const form = useForm(holder && itemOf(holder), draftOf, fields);
  const subject = form.draft.subject.trim();
  const body = { roles: roleNames.filter((role) => form.draft.roles.includes(role)) };
  const path = '/api/v1/globalroles/{subject}';
  const params = { path: { subject } };
  const save = () => {
    form.save(
      {
        create: () => dataOf(identity.PUT(path, { params, body })),
        read: async () => {
          const { data, response } = await identity.GET(path, { params });
          return { data: data && itemOf(data), response };
        },
        write: (headers) => identity.PUT(path, { params, headers, body }),
      },
      async () => {
        await queries.invalidateQueries({ queryKey });
        onClose();
      },
    );
  };
  const missing = missingOf([
    [texts.subject, subject],
    [texts.roles, body.roles.join()],
  ]);
  const isGranted = holders.some((each) => each.source === 'granted' && each.subject === subject.toLowerCase());
  return (
    <ItemForm
      form={form}
      name={holder?.subject}
      create={texts.create}
      createAction={texts.create}
      reason={missing ?? (isGranted ? texts.already(subject) : undefined)}
      onClose={onClose}
      onSave={save}
    >
      {!holder && <TextField {...form.field('subject')} hint={texts.subjectHint} maxLength={255} autoComplete="off" />}
      <Choices
        {...form.field('roles')}
        options={roleNames.map((role) => ({ id: role, label: role, hint: texts.roleHints[role] }))}
      />
      <Same
        command={`npx unikorn globalrole grant ${shellWord(subject || 'ADDRESS')} ${body.roles.join(' ') || 'ROLE'}`}
        sent={{ method: 'PUT', path: `/identity${pathOf(subject)}`, body }}
      />
    </ItemForm>
  );
}

function Revoke({ holder: { subject }, onClose }: { readonly holder: Holder; readonly onClose: () => void }) {
  const { identity } = useApi();
  const queries = useQueryClient();
  const remove = async () => {
    await identity.DELETE('/api/v1/globalroles/{subject}', { params: { path: { subject } } });
    await queries.invalidateQueries({ queryKey });
  };
  return (
    <DeleteDialog
      name={subject}
      title={texts.revokeTitle(subject)}
      action={texts.revoke}
      remove={remove}
      onClose={onClose}
    >
      <p>{texts.revokes}</p>
      <Same
        command={`npx unikorn globalrole revoke ${shellWord(subject)}`}
        sent={{ method: 'DELETE', path: `/identity${pathOf(subject)}` }}
      />
    </DeleteDialog>
  );
}
