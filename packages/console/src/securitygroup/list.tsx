import { useParams } from '@tanstack/react-router';

import type { SecurityGroup } from '@unikorn/sdk';

import { useNames } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { ResourceList } from '../parts/resource-list.tsx';
import { numberColumn, referenceColumn } from '../parts/rows.tsx';
import { words } from '../words/index.ts';
import { DeleteSecurityGroup, SecurityGroupForm } from './form.tsx';

const texts = words.securityGroup;
const from = '/o/$org/p/$project/security-groups';

/** The security groups of a project, live. */
export function SecurityGroupsPage() {
  const place = useParams({ from });
  const { org, project } = place;
  const names = useNames(org, project, []);
  return (
    <ResourceList
      {...place}
      noun="security-groups"
      path="/api/v2/securitygroups"
      area="region:securitygroups:v2"
      icon="securityGroups"
      texts={texts}
      live={useLive('securityGroups', { organization: org, project })}
      columns={[
        referenceColumn<SecurityGroup>('network', texts.network, ({ status }) => names.network(status.networkId)),
        numberColumn<SecurityGroup>('rules', texts.rules, '5rem', ({ spec }) => spec.rules.length),
      ]}
      textOf={({ metadata }) => `${metadata.name} ${metadata.id}`}
      editTitle={texts.editRules}
      form={(group, onClose) => <SecurityGroupForm {...place} {...(group && { group })} onClose={onClose} />}
      remove={(group, onClose) => <DeleteSecurityGroup group={group} onClose={onClose} />}
    />
  );
}
