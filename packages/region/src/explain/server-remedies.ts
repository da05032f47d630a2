import type { Remedies } from '@unikorn/core/explain';

import type { RegionNodeKind } from './node-kinds.ts';

/** Remedies of a server and the things that it needs, for the operators who see servers. */
export const serverRemedies: Remedies<RegionNodeKind> = {
  securityGroup: {
    missing: 'update the server so that it no longer names the security group',
    deleting: 'update the server so that it no longer names the security group',
  },
  sshCertificateAuthority: {
    missing: 'replace the server with one that names another authority, or none',
    deleting: 'replace the server with one that names another authority, or none',
  },
  image: {
    missing: 'update the server with another image',
    'given up': 'update the server with another image',
  },
  flavor: { missing: 'replace the server with one of another flavor' },
  providerResource: {
    progressing: 'nothing needs to be done: the cloud works on it, and is asked again automatically every few seconds',
    waiting: 'the things that the server needs become ready: the cloud is asked automatically then',
    retrying: 'the cloud answers again: it is retried automatically',
    degraded: 'start the server if it is stopped; rebuild it from an image if its machine failed',
    failed: 'the cloud has room again, or another flavor is chosen: it is retried automatically',
    'given up': 'update the server so that its message no longer applies, or correct the problem in the cloud',
    missing: 'the cloud shows it again; if it does not, it counts as lost and is made again without its disk',
    deleting: 'the cloud removes it: that is retried automatically',
  },
  server: {
    degraded: 'start the server if it is stopped; rebuild it from an image if its machine failed',
    'given up': 'correct the problem of its provider resource, or delete the server',
    deleting: 'the cloud removes its machine: that is retried automatically',
  },
};

/** The remedy of a machine whose state nobody can see. */
export const unseenRemedy = 'the region sees the machine again: it looks for it automatically';
