import { useParams } from '@tanstack/react-router';

import type { Instance } from '@unikorn/sdk';

import { useNames } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Fact, Notice, Section } from '../parts/page.tsx';
import { PlaceLink } from '../parts/place-link.tsx';
import { liveResource } from '../parts/rows.tsx';
import { conditionOf } from '../parts/status.tsx';
import { Details, ResourcePage, UsedBy } from '../shell/resource-page.tsx';
import { words } from '../words/index.ts';
import { DeleteSecurityGroup, SecurityGroupForm } from './form.tsx';
import { portText, ruleText, warningsOf, type Rule } from './rules.ts';

const texts = words.securityGroup;

/** One security group: its rules, and the instances that use it. */
export function SecurityGroupPage() {
  const { org, project, id } = useParams({ from: '/o/$org/p/$project/security-groups/$id' });
  const groups = useLive('securityGroups', { organization: org, project });
  const instances = useLive('instances', { organization: org, project });
  const names = useNames(org, project, []);
  const users = instances.items.filter((instance) => groupsOf(instance).includes(id));
  return (
    <ResourcePage
      org={org}
      project={project}
      noun="security-groups"
      one={texts.one}
      id={id}
      path={`/api/v2/securitygroups/${id}`}
      {...liveResource(groups, id)}
      conditionOf={conditionOf}
      edit={texts.editRules}
      version={users.map(({ metadata }) => metadata.id)}
      form={(group, onClose) => <SecurityGroupForm org={org} project={project} group={group} onClose={onClose} />}
      remove={(group, onClose, onDeleted) => (
        <DeleteSecurityGroup group={group} onClose={onClose} onDeleted={onDeleted} />
      )}
    >
      {(group) => (
        <>
          {warningsOf(group.spec.rules).map((warning) => (
            <Notice key={warning} tone="warn">
              {warning}
            </Notice>
          ))}
          <Section title={texts.rules} flush>
            {group.spec.rules.length === 0 ? (
              <p className="p-4 text-muted">{texts.noRules}</p>
            ) : (
              <Rules rules={group.spec.rules} />
            )}
          </Section>
          <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
            <Details resource={group}>
              <Fact name={texts.network}>
                <PlaceLink org={org} project={project} noun="networks" id={group.status.networkId}>
                  {names.network(group.status.networkId)}
                </PlaceLink>
              </Fact>
            </Details>
            <UsedBy
              org={org}
              project={project}
              title={texts.users}
              none={texts.noUsers}
              instances={users}
              by={{ group: id }}
              loading={instances.freshness === 'loading'}
            />
          </div>
        </>
      )}
    </ResourcePage>
  );
}

function groupsOf({ spec }: Instance): readonly string[] {
  const { securityGroups = [] } = spec.networking;
  return securityGroups;
}

function Rules({ rules }: { readonly rules: readonly Rule[] }) {
  return (
    <div className="overflow-x-auto">
      <table aria-label={texts.rules} className="w-full">
        <thead className="text-sm text-muted">
          <tr className="border-b border-line">
            {[texts.direction, texts.protocol, texts.ports, texts.prefix].map((title) => (
              <th key={title} scope="col" className="px-4 py-1.5 text-start font-medium">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <tr key={ruleText(rule)} className="border-b border-line last:border-b-0">
              <td className="px-4 py-1.5">{texts.directions[rule.direction]}</td>
              <td className="px-4 py-1.5">{rule.protocol}</td>
              <td className="px-4 py-1.5 tabular">{portText(rule)}</td>
              <td className="px-4 py-1.5 font-mono text-sm">{rule.prefix ?? texts.anyPrefix}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
