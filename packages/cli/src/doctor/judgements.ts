import type { IdentityPaths } from '@unikorn/sdk';

import { waits } from '../limits.ts';
import { durationText } from '../output/duration.ts';
import { bad, good, warning, type Check } from './check.ts';

const oldestNode = [24, 7] as const;

export function judgeNode(version: string): Check {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const recent = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  return recent
    ? good('node', version)
    : bad('node', `${version} is too old`, `install Node ${oldestNode.join('.')} or newer`);
}

export function judgeMode(name: string, file: string, mode: number): Check {
  return (mode & 0o077) === 0
    ? good(name, `${file}, readable only by you`)
    : bad(name, `${file} can be read by others (mode ${(mode & 0o777).toString(8)})`, `chmod 600 ${file}`);
}

/** `date` has whole seconds, and the response took some time to arrive. */
export function judgeClock(date: string | null, now: Date): Check {
  const skew_ms = date === null ? NaN : Date.parse(date) - now.getTime();
  if (Number.isNaN(skew_ms))
    return warning(
      'clock',
      'the control plane does not send its time',
      'a proxy may remove the Date header; this is not a problem',
    );
  const text = `${durationText(Math.abs(skew_ms))} ${skew_ms > 0 ? 'behind' : 'ahead of'} the control plane's`;
  return Math.abs(skew_ms) <= waits.clockSkew_ms
    ? good('clock', 'the same as on the control plane')
    : bad('clock', `the clock of this machine is ${text}`, 'correct the clock: logins and their renewal depend on it');
}

export function judgeCertificate(validTo: Date, now: Date): Check {
  const left_ms = validTo.getTime() - now.getTime();
  const text = `the certificate is valid until ${validTo.toISOString().slice(0, 10)}`;
  return left_ms > waits.certificateWarning_ms
    ? good('tls', text)
    : warning('tls', text, 'ask the platform operator to renew it');
}

/** The reason why a service is not ready, if it is not. */
export function reasonsIn(body: unknown): string | undefined {
  if (
    typeof body !== 'object' ||
    body === null ||
    !('reasons' in body) ||
    typeof body.reasons !== 'object' ||
    body.reasons === null
  )
    return undefined;
  return Object.values(body.reasons).join('; ');
}

export function judgeVersions(
  cli: string,
  services: readonly { readonly name: string; readonly version: string }[],
): Check {
  const others = services.filter(({ version }) => version !== cli);
  if (others.length === 0) return good('versions', `${cli}, the same as the control plane`);
  return warning(
    'versions',
    `this is ${cli}, but ${others.map(({ name, version }) => `${name} is ${version}`).join(', ')}`,
    'if a command does not work, use the version of the control plane',
  );
}

type Acl =
  IdentityPaths['/api/v1/organizations/{organizationID}/acl']['get']['responses'][200]['content']['application/json'];
type Operation = NonNullable<Acl['global']>[number]['operations'][number];

/** The organization and project of a permission check. */
export interface Where {
  readonly organizationId: string;
  readonly projectId?: string | undefined;
}

export function allows(
  { global = [], organizations = [] }: Acl,
  name: string,
  operation: Operation,
  { organizationId, projectId }: Where,
): boolean {
  const own = organizations.filter(({ id }) => id === organizationId);
  const inProject = own.flatMap(({ projects = [] }) => projects).filter(({ id }) => id === projectId);
  return [...global, ...[...own, ...inProject].flatMap(({ endpoints = [] }) => endpoints)].some(
    (endpoint) => endpoint.name === name && endpoint.operations.includes(operation),
  );
}

const basics = [
  { what: 'see instances', name: 'compute:instances', operation: 'read' },
  { what: 'create instances', name: 'compute:instances', operation: 'create' },
  { what: 'see networks', name: 'region:networks:v2', operation: 'read' },
] as const;

export function judgeAccess(acl: Acl, where: Where): Check {
  const missing = basics.filter(({ name, operation }) => !allows(acl, name, operation, where));
  if (missing.length === 0) return good('access', `you may ${basics.map(({ what }) => what).join(', ')}`);
  return warning(
    'access',
    `you may not ${missing.map(({ what }) => what).join(', ')}`,
    'ask an administrator of the organization to add you to a group that has these permissions',
  );
}
