/** The service and the role of a part, as in `--only region/server-controller`. */
export type PartName = `${string}/${string}`;

export interface PartEntry {
  readonly name: PartName;
  /** The work of the part, in one line. */
  readonly work: string;
  /** The parts that it calls, in the same process or in another one. */
  readonly needs: readonly PartName[];
}

export const serviceNames = ['identity', 'region', 'compute'] as const;
export type ServiceName = (typeof serviceNames)[number];

const identity: readonly PartName[] = ['identity/api'];
const both: readonly PartName[] = ['identity/api', 'region/api'];

/**
 * Every part that a process can run. It imports nothing, because the help of `serve` shows it. A test compares it with
 * the parts that the services create.
 */
export const partTable: readonly PartEntry[] = [
  { name: 'identity/api', work: 'the API of identity: users, tokens, logins, quotas', needs: [] },
  { name: 'identity/organization-controller', work: 'organizations and their quota ledgers', needs: [] },
  { name: 'identity/project-controller', work: 'projects and their history', needs: [] },
  { name: 'identity/oauth2client-controller', work: 'removes expired codes, tokens and sessions', needs: [] },
  { name: 'region/api', work: 'the API of region: networks, servers, storage, images', needs: identity },
  { name: 'region/identity-controller', work: 'the principals of projects in a cloud', needs: identity },
  { name: 'region/network-controller', work: 'networks, and the removal of old history', needs: identity },
  { name: 'region/security-group-controller', work: 'security groups', needs: [] },
  { name: 'region/load-balancer-controller', work: 'load balancers', needs: identity },
  { name: 'region/server-controller', work: 'servers and SSH certificate authorities', needs: [] },
  { name: 'region/file-storage-controller', work: 'file storage', needs: identity },
  { name: 'region/monitor', work: 'compares servers with the real state of the clouds', needs: [] },
  { name: 'region/project-consumer', work: 'deletes the resources of a deleted project', needs: identity },
  { name: 'compute/api', work: 'the API of compute: instances', needs: both },
  { name: 'compute/instance-controller', work: 'instances and their history', needs: both },
  { name: 'compute/monitor', work: 'checks instances for problems that no controller notices', needs: both },
  { name: 'compute/network-consumer', work: 'deletes the instances of a deleted network', needs: both },
];

/** The service of a part: `region` of `region/api`. */
export function serviceOf(part: PartName): string {
  return part.slice(0, part.indexOf('/'));
}

/** The list of parts that the help of `serve` shows. */
export function partsHelp(): string {
  const width = Math.max(...partTable.map(({ name }) => name.length)) + 2;
  return [
    '',
    'Parts for --only (the name of a service stands for all its parts):',
    ...partTable.map(({ name, work }) => `  ${name.padEnd(width)}${work}`),
  ].join('\n');
}
