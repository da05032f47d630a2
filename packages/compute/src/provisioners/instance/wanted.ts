import { defined } from '@unikorn/core/defined';
import type { SpecOf } from '@unikorn/core/kinds';
import { labels, referenceOf } from '@unikorn/core/resource';
import { labelOf } from '@unikorn/identity/client';
import type { RegionClient } from '@unikorn/region/client';

import { copied, copyOf, serverRows } from '../../fields/index.ts';
import { ComputeInstance } from '../../kinds/index.ts';
import { linkTag } from '../../link/index.ts';
import { wishOf } from '../../plan/index.ts';

type Spec = SpecOf<typeof ComputeInstance>;
type NewServer = Parameters<RegionClient['createServer']>[1];
type ChangedServer = Parameters<RegionClient['updateServer']>[2];

/**
 * The server to request from region. The tags of the instance are not copied: its only tag is the id of the instance.
 */
export function newServer({
  metadata,
  spec,
  status,
}: Pick<ComputeInstance, 'metadata' | 'spec' | 'status'>): NewServer {
  // A replacement requests the address of the old machine, because clients rely on it.
  const privateIP = status?.privateIp;
  return {
    metadata: namingOf(metadata),
    spec: {
      ...createdSpec(spec),
      networkId: labelOf(metadata, labels.network),
      heldBy: referenceOf(ComputeInstance, metadata.name),
      ...defined({ privateIP }),
    },
  };
}

/** The same for an existing server, without the fields that region accepts only at creation. */
export function changedServer({ metadata, spec }: Pick<ComputeInstance, 'metadata' | 'spec'>): ChangedServer {
  return { metadata: namingOf(metadata), spec: changedSpec(spec) };
}

function namingOf(metadata: ComputeInstance['metadata']): NewServer['metadata'] {
  return {
    name: labelOf(metadata, labels.name),
    description: `the machine of instance ${metadata.name}`,
    tags: [{ name: linkTag, value: metadata.name }],
  };
}

const atCreation = serverRows.map(({ name, field }) => copyOf(name, field.server.wanted));
const always = serverRows
  .filter(({ field }) => field.server.sent === 'always')
  .map(({ name, field }) => copyOf(name, field.server.wanted));

function createdSpec(spec: Spec): Omit<NewServer['spec'], 'networkId'>;
function createdSpec(spec: Spec): object {
  return copied(wishOf(spec), atCreation);
}

function changedSpec(spec: Spec): ChangedServer['spec'];
function changedSpec(spec: Spec): object {
  return copied(wishOf(spec), always);
}
