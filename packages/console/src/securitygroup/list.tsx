import { useNavigate, useParams } from '@tanstack/react-router';

import type { SecurityGroup } from '@unikorn/sdk';

import { useNames } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { ListPage } from '../parts/list-page.tsx';
import { useListState } from '../parts/list-state.ts';
import { conditionOf, Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
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
  const { items, freshness, error } = useLive('securityGroups', { organization: org, project });
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
        rows={freshness === 'loading' || freshness === 'refused' ? undefined : items}
        error={freshness === 'refused' ? (error ?? null) : null}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        createReason={refused('create')}
        stale={freshness === 'stale'}
        onOpen={({ metadata }) =>
          void navigate({ to: '/o/$org/p/$project/security-groups/$id', params: { org, project, id: metadata.id } })
        }
        columns={[
          {
            key: 'name',
            title: words.parts.name,
            sort: nameOf,
            cell: (group) => <span className="font-medium">{nameOf(group)}</span>,
          },
          {
            key: 'status',
            title: texts.status,
            sort: (group) => conditionOf(group).word,
            cell: (group) => <Status {...conditionOf(group)} />,
          },
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
          {
            key: 'created',
            title: words.parts.created,
            width: '8rem',
            sort: ({ metadata }) => -Date.parse(metadata.creationTime),
            cell: ({ metadata }) => <Time at={metadata.creationTime} />,
          },
        ]}
        actions={[
          {
            title: texts.editRules,
            icon: 'edit',
            reason: () => refused('update'),
            run: ({ metadata }) => {
              state.open('edit', metadata.id);
            },
          },
          {
            title: words.parts.remove,
            icon: 'trash',
            danger: true,
            reason: () => refused('delete'),
            run: ({ metadata }) => {
              state.open('delete', metadata.id);
            },
          },
        ]}
      />
      {dialog === 'new' && <SecurityGroupForm org={org} project={project} onClose={state.close} />}
      {dialog === 'edit' && chosen && (
        <SecurityGroupForm org={org} project={project} group={chosen} onClose={state.close} />
      )}
      {dialog === 'delete' && chosen && <DeleteSecurityGroup group={chosen} onClose={state.close} />}
    </>
  );
}

const idOf = ({ metadata }: SecurityGroup) => metadata.id;
const nameOf = ({ metadata }: SecurityGroup) => metadata.name;
const textOf = ({ metadata }: SecurityGroup) => `${metadata.name} ${metadata.id}`;
