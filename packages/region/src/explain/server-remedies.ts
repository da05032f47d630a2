import type { Remedies } from '@unikorn/core/explain';

import type { RegionNodeKind } from './node-kinds.ts';

/** Remedies of a server and its dependencies, for the operators who see servers. */
export const serverRemedies: Remedies<RegionNodeKind> = {
  securityGroup: {
    missing: 'update the server so that it no longer uses the security group',
    deleting: 'update the server so that it no longer uses the security group',
  },
  sshCertificateAuthority: {
    missing: 'replace the server with one that uses another authority, or none',
    deleting: 'replace the server with one that uses another authority, or none',
  },
  image: {
    missing: 'update the server with another image',
    'given up': 'update the server with another image',
  },
  flavor: { missing: 'replace the server with one of another flavor' },
  providerResource: {
    progressing:
      'nothing needs to be done: the cloud works on it, and its state is read automatically every few seconds',
    waiting: 'wait until the resources that the server needs are ready: it continues automatically',
    retrying: 'wait until the cloud answers: it is retried automatically',
    degraded: 'start the server if it is stopped; rebuild it from an image if its machine failed',
    failed: 'wait until the cloud has capacity, or choose another flavor: it is retried automatically',
    'given up': 'update the server so that it avoids the problem in its message, or correct the problem in the cloud',
    missing:
      'wait until the cloud shows it; if the cloud does not, it counts as lost and is recreated without its disk',
    deleting: 'wait until the cloud has deleted it: this is retried automatically',
  },
  server: {
    degraded: 'start the server if it is stopped; rebuild it from an image if its machine failed',
    'given up': 'correct the problem of its provider resource, or delete the server',
    deleting: 'wait until the cloud has deleted its machine: this is retried automatically',
  },
};

/** The remedy of a machine whose state cannot be read. */
export const unseenRemedy = 'wait until the region finds the machine: it is searched for automatically';
