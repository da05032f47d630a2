import {
  explanationOf,
  heldBy,
  holderNodes,
  storedNode,
  type Explanation,
  type Graph,
  type Remedies,
} from '@unikorn/core/explain';

import { SSHCertificateAuthority } from '../kinds/index.ts';
import { holdersOf } from './holders.ts';
import type { Reading } from './needs.ts';
import { sharedRemedies, type RegionNodeKind } from './node-kinds.ts';

const graph: Graph<RegionNodeKind> = [
  { kind: 'holder', dependsOn: [] },
  { kind: 'sshCertificateAuthority', dependsOn: ['holder'] },
];

const remedies: Remedies<RegionNodeKind> = {
  ...sharedRemedies,
  sshCertificateAuthority: {
    deleting: 'no instance uses it any more: it is removed automatically then',
  },
};

/** Says why an SSH certificate authority is as it is. It is ready as soon as it is stored. */
export async function explainSshCertificateAuthority(
  { store }: Pick<Reading, 'store'>,
  authority: SSHCertificateAuthority,
): Promise<Explanation<RegionNodeKind>> {
  const { metadata } = authority;
  const holders = await holdersOf(store, SSHCertificateAuthority, metadata);
  const self = storedNode<RegionNodeKind>({
    kind: 'sshCertificateAuthority',
    id: metadata.name,
    of: SSHCertificateAuthority,
    object: authority,
    readable: true,
    remedies,
  });
  return explanationOf<RegionNodeKind>({
    nodes: [...holderNodes(holders, remedies), heldBy(self, holders)],
    graph,
    own: ['sshCertificateAuthority'],
    whenReady: 'the SSH certificate authority is ready',
  });
}
