import { useNavigate, useParams } from '@tanstack/react-router';

import type { Instance } from '@unikorn/sdk';

import { useNames } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Identifier } from '../parts/copy.tsx';
import { useListState } from '../parts/list-state.ts';
import { Fact, Facts, Nothing, Notice, Page, Section, Skeleton } from '../parts/page.tsx';
import { PlaceLink } from '../parts/place-link.tsx';
import { Badge, conditionOf } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { Gone } from '../shell/gone.tsx';
import { ResourceActions } from '../shell/resource-actions.tsx';
import { words } from '../words/index.ts';
import { DeleteSecurityGroup, SecurityGroupForm } from './form.tsx';
import { portText, ruleText, warningsOf, type Rule } from './rules.ts';

const texts = words.securityGroup;
const from = '/o/$org/p/$project/security-groups/$id';

/** One security group: its rules, and the instances that use it. */
export function SecurityGroupPage() {
  const { org, project, id } = useParams({ from });
  const { search, open, close } = useListState();
  const navigate = useNavigate();
  const groups = useLive('securityGroups', { organization: org, project });
  const instances = useLive('instances', { organization: org, project });
  const names = useNames(org, project, []);
  const group = groups.items.find(({ metadata }) => metadata.id === id);
  if (!group)
    return groups.freshness === 'loading' ? (
      <Skeleton />
    ) : (
      <Gone path={`/api/v2/securitygroups/${id}`} one={texts.one} />
    );
  const { metadata, spec, status } = group;
  const condition = conditionOf(group);
  const users = instances.items.filter((instance) => groupsOf(instance).includes(id));
  return (
    <Page
      title={metadata.name}
      before={<Badge tone={condition.tone}>{condition.word}</Badge>}
      actions={
        <ResourceActions
          name={metadata.name}
          edit={texts.editRules}
          path={`/api/v2/securitygroups/${id}`}
          version={JSON.stringify([
            metadata.provisioningStatus,
            metadata.modifiedTime,
            users.map(({ metadata: { id } }) => id),
          ])}
          open={open}
        />
      }
    >
      {condition.message !== undefined && (
        <Notice tone={condition.tone === 'busy' ? 'info' : 'warn'}>
          <span lang="en">{condition.message}</span>
        </Notice>
      )}
      {warningsOf(spec.rules).map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
      <Section title={texts.rules} flush>
        {spec.rules.length === 0 ? <p className="p-4 text-muted">{texts.noRules}</p> : <Rules rules={spec.rules} />}
      </Section>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <Section title={texts.details}>
          <Facts>
            <Fact name={texts.network}>
              <PlaceLink org={org} project={project} noun="networks" id={status.networkId}>
                {names.network(status.networkId)}
              </PlaceLink>
            </Fact>
            <Fact name={words.parts.description}>{metadata.description ?? '–'}</Fact>
            <Fact name={words.parts.created}>
              <Time at={metadata.creationTime} />
            </Fact>
            <Fact name={texts.id}>
              <Identifier id={metadata.id} />
            </Fact>
          </Facts>
        </Section>
        <Section title={texts.users}>
          {users.length === 0 && <Nothing loading={instances.freshness === 'loading'}>{texts.noUsers}</Nothing>}
          <ul className="flex flex-col gap-1">
            {users.map((instance) => (
              <li key={instance.metadata.id}>
                <PlaceLink org={org} project={project} noun="instances" id={instance.metadata.id}>
                  {instance.metadata.name}
                </PlaceLink>
              </li>
            ))}
          </ul>
        </Section>
      </div>
      {search.dialog === 'edit' && <SecurityGroupForm org={org} project={project} group={group} onClose={close} />}
      {search.dialog === 'delete' && (
        <DeleteSecurityGroup
          group={group}
          onClose={close}
          onDeleted={() => void navigate({ to: '/o/$org/p/$project/security-groups', params: { org, project } })}
        />
      )}
    </Page>
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
