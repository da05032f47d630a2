import { useParams } from '@tanstack/react-router';

import type { Role } from '@unikorn/sdk';

import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { useListState } from '../parts/list-state.ts';
import { words } from '../words/index.ts';
import { useRoles } from './queries.ts';

const all = words.identity;
const texts = all.roles;
const allOperations = ['create', 'read', 'update', 'delete'] as const;
const from = '/o/$org/roles';
const scopes = ['organization', 'project', 'global'] as const;

/** The roles that the operator of the platform defined, and what each of them allows. */
export function RolesPage() {
  const { org } = useParams({ from });
  const state = useListState();
  const { data, error } = useRoles(org);
  const chosen = data?.find(({ metadata }) => metadata.id === state.search.id);
  const show = ({ metadata }: Role) => {
    state.open('permissions', metadata.id);
  };
  return (
    <>
      <ListPage
        texts={texts}
        icon="roles"
        state={state}
        rows={data}
        error={error}
        idOf={({ metadata }) => metadata.id}
        nameOf={nameOf}
        textOf={({ metadata }) => `${metadata.name} ${metadata.description ?? ''}`}
        onOpen={show}
        columns={[
          {
            key: 'name',
            title: words.parts.name,
            sort: nameOf,
            cell: (role) => (
              <button
                type="button"
                className="rounded font-medium hover:underline"
                onClick={() => {
                  show(role);
                }}
              >
                {nameOf(role)}
              </button>
            ),
          },
          {
            key: 'description',
            title: words.parts.description,
            width: 'minmax(10rem, 3fr)',
            cell: ({ metadata }) => <span className="text-muted">{metadata.description}</span>,
          },
          {
            key: 'grantable',
            labelled: true,
            title: texts.grantable,
            width: '9rem',
            sort: ({ grantable }) => (grantable ? 0 : 1),
            cell: ({ grantable }) => (grantable ? texts.yes : texts.no),
          },
        ]}
        actions={[{ title: texts.show, icon: 'roles', run: show }]}
      />
      {state.search.dialog === 'permissions' && chosen && (
        <Dialog open wide onClose={state.close} title={texts.permissions(nameOf(chosen))}>
          <Permissions role={chosen} />
        </Dialog>
      )}
    </>
  );
}

const nameOf = ({ metadata }: Role) => metadata.name;

function Permissions({ role }: { readonly role: Role }) {
  const filled = scopes.filter((scope) => (role.scopes?.[scope]?.length ?? 0) > 0);
  if (filled.length === 0) return <p>{texts.nothing}</p>;
  return filled.map((scope) => (
    // Focusable, so that the keyboard can scroll.
    <section key={scope} tabIndex={0} className="flex flex-col gap-2">
      <h3 className="font-semibold">{texts.scopes[scope]}</h3>
      <table className="w-full text-start">
        <thead className="text-sm text-muted">
          <tr className="border-b border-line">
            <th scope="col" className="py-1 text-start font-medium">
              {texts.resource}
            </th>
            {allOperations.map((operation) => (
              <th key={operation} scope="col" className="w-16 py-1 text-center font-medium">
                {texts.operations[operation]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(role.scopes?.[scope] ?? [])
            .toSorted((one, other) => one.name.localeCompare(other.name))
            .map(({ name, operations }) => (
              <tr key={name} className="border-b border-line last:border-b-0">
                <th scope="row" className="py-1 text-start font-mono text-sm font-normal break-all">
                  {name}
                </th>
                {allOperations.map((operation) => (
                  <td key={operation} className="text-center">
                    {operations.includes(operation) && (
                      <>
                        <Icon name="check" className="mx-auto text-good" />
                        <span className="sr-only">{texts.yes}</span>
                      </>
                    )}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  ));
}
