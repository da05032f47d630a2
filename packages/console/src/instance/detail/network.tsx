import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';

import { dataOf, type SecurityGroup } from '@unikorn/sdk';

import { useNames } from '../../catalog/catalog.ts';
import { TextField } from '../../parts/field.tsx';
import { Fact, Facts, Notice, Section } from '../../parts/page.tsx';
import { PlaceLink } from '../../parts/place-link.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useApi } from '../../session/context.tsx';
import { words } from '../../words/index.ts';
import { isAddress, isPort, reaches } from '../reach.ts';
import { useInstance } from './instance.tsx';

const texts = words.instance.network;

/** Addresses, and the rules of all security groups together. */
export function InstanceNetwork() {
  const { metadata, spec, status } = useInstance();
  const names = useNames(metadata.organizationId, metadata.projectId, [status.regionId]);
  const place = { org: metadata.organizationId, project: metadata.projectId };
  const { region } = useApi();
  const ids = spec.networking.securityGroups ?? [];
  const groups = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['securitygroup', id],
      queryFn: (): Promise<SecurityGroup> =>
        dataOf(region.GET('/api/v2/securitygroups/{securityGroupID}', { params: { path: { securityGroupID: id } } })),
      staleTime: 10_000,
    })),
  });
  const known = groups.flatMap(({ data }) => (data ? [data] : []));
  const error = groups.find((group) => group.error)?.error;
  const rules = known.flatMap(({ metadata: group, spec: { rules: own } }) => own.map((rule) => ({ ...rule, group })));
  return (
    <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[22rem_minmax(0,1fr)]">
      <Section title={texts.addresses}>
        <Facts>
          <Fact name={words.instance.columns.network}>
            <PlaceLink {...place} noun="networks" id={status.networkId}>
              {names.network(status.networkId)}
            </PlaceLink>
          </Fact>
          <Fact name={words.instance.columns.address}>
            <span className="font-mono">{status.privateIP ?? '–'}</span>
          </Fact>
          <Fact name={words.instance.columns.publicAddress}>
            <span className="font-mono">
              {status.publicIP ?? (spec.networking.publicIP === true ? texts.coming : '–')}
            </span>
          </Fact>
          <Fact name={texts.mac}>
            <span className="font-mono">{status.macAddress ?? '–'}</span>
          </Fact>
        </Facts>
      </Section>
      <Section title={texts.rules} flush>
        {error && (
          <div className="p-4">
            <Problem error={error} />
          </div>
        )}
        {rules.length === 0 && !error && <p className="p-4 text-muted">{texts.noRules}</p>}
        {rules.length > 0 && (
          <>
            <div role="group" aria-label={texts.rules} tabIndex={0} className="overflow-x-auto">
              <table className="w-full">
                <thead className="text-sm text-muted">
                  <tr className="border-b border-line">
                    {[texts.direction, texts.protocol, texts.port, texts.prefix, texts.group].map((title) => (
                      <th key={title} scope="col" className="px-4 py-2 text-start font-medium">
                        {title}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rules.map((rule, index) => (
                    <tr key={index} className="border-b border-line last:border-b-0">
                      <td className="px-4 py-1.5">{rule.direction === 'ingress' ? texts.ingress : texts.egress}</td>
                      <td className="px-4 py-1.5">{rule.protocol}</td>
                      <td className="px-4 py-1.5 tabular">{portsOf(rule)}</td>
                      <td className="px-4 py-1.5 font-mono text-sm">{rule.prefix ?? texts.anywhere}</td>
                      <td className="px-4 py-1.5">
                        <PlaceLink {...place} noun="security-groups" id={rule.group.id}>
                          {rule.group.name}
                        </PlaceLink>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <Reach rules={rules} />
          </>
        )}
      </Section>
    </div>
  );
}

type Rule = SecurityGroup['spec']['rules'][number];

function portsOf({ port, portMax }: Rule): string {
  if (port === undefined) return texts.allPorts;
  return portMax === undefined || portMax === port ? String(port) : `${port}–${portMax}`;
}

/** Whether the rules let a connection through. */
function Reach({ rules }: { readonly rules: readonly Rule[] }) {
  const [address, setAddress] = useState('');
  const [port, setPort] = useState('');
  const complete = isAddress(address.trim()) && isPort(port.trim());
  const allowed = complete && reaches(rules, address.trim(), Number(port));
  return (
    <div className="flex flex-wrap items-end gap-3 border-t border-line p-4">
      <TextField label={texts.reachFrom} value={address} onChange={setAddress} placeholder="10.0.0.5" mono />
      <TextField label={texts.reachPort} value={port} onChange={setPort} placeholder="443" mono />
      <div role="status" className="min-w-0 flex-1">
        {complete && <Notice tone={allowed ? 'info' : 'warn'}>{allowed ? texts.reaches : texts.reachesNot}</Notice>}
      </div>
    </div>
  );
}
