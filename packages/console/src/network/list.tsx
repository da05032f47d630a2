import { useParams } from '@tanstack/react-router';

import type { Network } from '@unikorn/sdk';

import { useNames } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { ResourceList } from '../parts/resource-list.tsx';
import { codeColumn, referenceColumn } from '../parts/rows.tsx';
import { words } from '../words/index.ts';
import { DeleteNetwork, NetworkForm } from './form.tsx';

const texts = words.network;
const from = '/o/$org/p/$project/networks';

/** The networks of a project, live. */
export function NetworksPage() {
  const place = useParams({ from });
  const { org, project } = place;
  const names = useNames(org, project, []);
  return (
    <ResourceList
      {...place}
      noun="networks"
      path="/api/v2/networks"
      area="region:networks:v2"
      icon="networks"
      texts={texts}
      live={useLive('networks', { organization: org, project })}
      columns={[
        codeColumn<Network>('prefix', texts.prefix, '9rem', ({ status }) => status.prefix),
        referenceColumn<Network>('region', texts.region, ({ status }) => names.region(status.regionId)),
      ]}
      textOf={({ metadata, status }) => `${metadata.name} ${metadata.id} ${status.prefix}`}
      form={(network, onClose) => <NetworkForm {...place} {...(network && { network })} onClose={onClose} />}
      remove={(network, onClose) => <DeleteNetwork {...place} network={network} onClose={onClose} />}
    />
  );
}
