import { defined } from '@unikorn/core/defined';
import {
  concealed,
  missingStatus,
  nodeStatusOf,
  remedyFor,
  type NodeDraft,
  type Remedies,
} from '@unikorn/core/explain';
import { pagesOf } from '@unikorn/core/http';
import { labels } from '@unikorn/core/resource';
import { matching } from '@unikorn/core/store';

import { purposesOf } from '../graph/index.ts';
import { Server } from '../kinds/index.ts';
import type { Image } from '../provider/index.ts';
import { isKnownTo } from './members.ts';
import type { Reading } from './needs.ts';
import type { RegionNodeKind } from './node-kinds.ts';

/** The tag with which a service marks the source of a snapshot, such as `compute.unikorn-cloud.org:instance-id`. */
const sourceTag = /^(?!images\.)[a-z]+\.unikorn-cloud\.org:([a-z]+)-id$/;

/** The instance that a snapshot is made from. Only an image that is not ready needs its source. */
export async function sourceNodes(
  reading: Pick<Reading, 'store' | 'world' | 'acl'>,
  { tags, identityId }: Image,
  remedies: Remedies<RegionNodeKind>,
): Promise<readonly NodeDraft<RegionNodeKind>[]> {
  const source = tags.find(({ name }) => sourceTag.test(name));
  if (!source || identityId === undefined) return [];
  const id = source.value;
  const server = await serverFor(reading, identityId, id);
  const status = server ? nodeStatusOf(Server, server) : missingStatus;
  const node = {
    kind: 'source',
    id,
    ...defined({ name: server?.metadata.labels?.[labels.name] }),
    ...status,
    ...remedyFor(remedies, 'source', status),
  } as const;
  return [!server || isKnownTo(reading.acl, server) ? node : concealed(node)];
}

/** The server of a principal that was created for this resource. */
async function serverFor(
  reading: Pick<Reading, 'store' | 'world'>,
  identityId: string,
  id: string,
): Promise<Server | undefined> {
  const view = { selector: matching({ [labels.identity]: identityId }), visible: () => true };
  for await (const { items } of pagesOf(reading, Server, view)) {
    const found = items.find((server) => purposesOf(server).some((purpose) => purpose.id === id));
    if (found) return found;
  }
  return undefined;
}
