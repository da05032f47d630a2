import { useNavigate, useParams } from '@tanstack/react-router';

import type { SecurityGroup } from '@unikorn/sdk';

import { useNames } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { ListPage } from '../parts/list-page.tsx';
import { useListState } from '../parts/list-state.ts';
import {
  createdColumn,
  deleteAction,
  editAction,
  idOf,
  liveRows,
  nameColumn,
  nameOf,
  statusColumn,
} from '../parts/rows.tsx';
import { useRights } from '../session/rights.ts';
import { number, words } from '../words/index.ts';
import { DeleteSecurityGroup, SecurityGroupForm } from './form.tsx';

const texts = words.securityGroup;
const from = '/o/$org/p/$project/security-groups';

/** The security groups of a project, live. */
export function SecurityGroupsPage() {
  const { org, project } = useParams({ from });
  const state = useListState();
  const navigate = useNavigate();
  const rights = useRights(org);
  const live = useLive('securityGroups', { organization: org, project });
  const { items } = live;
  const names = useNames(org, project, []);
  const chosen = items.find(({ metadata }) => metadata.id === state.search.id);
  const refused = (verb: 'create' | 'update' | 'delete') =>
    rights.may('region:securitygroups:v2', verb, project) ? undefined : words.parts.missingRight;
  const { dialog } = state.search;
  return (
    <>
      <ListPage
        texts={texts}
        icon="securityGroups"
        state={state}
        {...liveRows(live)}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        createReason={refused('create')}
        onOpen={({ metadata }) =>
          void navigate({ to: '/o/$org/p/$project/security-groups/$id', params: { org, project, id: metadata.id } })
        }
        columns={[
          nameColumn(),
          statusColumn(),
          {
            key: 'network',
            title: texts.network,
            sort: ({ status }) => names.network(status.networkId),
            cell: ({ status }) => names.network(status.networkId),
          },
          {
            key: 'rules',
            title: texts.rules,
            width: '5rem',
            sort: ({ spec }) => spec.rules.length,
            cell: ({ spec }) => <span className="tabular">{number(spec.rules.length)}</span>,
          },
          createdColumn(),
        ]}
        actions={[editAction(state, refused('update'), texts.editRules), deleteAction(state, refused('delete'))]}
      />
      {dialog === 'new' && <SecurityGroupForm org={org} project={project} onClose={state.close} />}
      {dialog === 'edit' && chosen && (
        <SecurityGroupForm org={org} project={project} group={chosen} onClose={state.close} />
      )}
      {dialog === 'delete' && chosen && <DeleteSecurityGroup group={chosen} onClose={state.close} />}
    </>
  );
}

const textOf = ({ metadata }: SecurityGroup) => `${metadata.name} ${metadata.id}`;
