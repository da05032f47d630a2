import { describe, expect, it } from 'vitest';

import {
  allows,
  judgeAccess,
  judgeCertificate,
  judgeClock,
  judgeMode,
  judgeNode,
  judgeVersions,
  reasonsIn,
} from './judgements.ts';

const now = new Date('2026-06-01T12:00:00Z');

it.each([
  ['v24.7.0', 'good'],
  ['v25.0.0', 'good'],
  ['v24.6.9', 'bad'],
  ['v20.18.1', 'bad'],
])('Node %s is %s', (version, verdict) => {
  expect(judgeNode(version).verdict).toBe(verdict);
});

it('only the owner may read a file with tokens', () => {
  expect(judgeMode('contexts', 'config.yaml', 0o100600).verdict).toBe('good');
  expect(judgeMode('contexts', 'config.yaml', 0o100640)).toMatchObject({
    verdict: 'bad',
    found: 'config.yaml can be read by others (mode 640)',
    remedy: 'chmod 600 config.yaml',
  });
});

it.each([
  ['Mon, 01 Jun 2026 12:00:01 GMT', 'good', 'the same as on the control plane'],
  ['Mon, 01 Jun 2026 12:10:00 GMT', 'bad', "the clock of this machine is 10m behind the control plane's"],
  ['Mon, 01 Jun 2026 11:00:00 GMT', 'bad', "the clock of this machine is 1h ahead of the control plane's"],
  [null, 'warning', 'the control plane does not send its time'],
])('a clock compared with %s is %s', (date, verdict, found) => {
  expect(judgeClock(date, now)).toMatchObject({ verdict, found });
});

it('a certificate that expires within two weeks is a warning', () => {
  expect(judgeCertificate(new Date('2026-08-01T00:00:00Z'), now).verdict).toBe('good');
  expect(judgeCertificate(new Date('2026-06-10T00:00:00Z'), now)).toMatchObject({
    verdict: 'warning',
    found: 'the certificate is valid until 2026-06-10',
  });
});

it('a service that is not ready may give a reason', () => {
  expect(reasonsIn({ status: 'not ready', notReady: ['store'], reasons: { store: 'there is no room left' } })).toBe(
    'there is no room left',
  );
  expect(reasonsIn({ status: 'not ready', notReady: ['controllers'] })).toBeUndefined();
  expect(reasonsIn(undefined)).toBeUndefined();
});

it('services with another version are reported', () => {
  expect(judgeVersions('1.0.0', [{ name: 'identity', version: '1.0.0' }])).toMatchObject({ verdict: 'good' });
  expect(
    judgeVersions('1.0.0', [
      { name: 'identity', version: '1.0.0' },
      { name: 'region', version: '0.9.0' },
    ]),
  ).toMatchObject({ verdict: 'warning', found: 'this is 1.0.0, but region is 0.9.0' });
});

describe('access', () => {
  const instances = [
    { name: 'compute:instances', operations: ['create' as const, 'read' as const] },
    { name: 'region:networks:v2', operations: ['read' as const] },
  ];
  const where = { organizationId: 'o1', projectId: 'p1' };

  it.each([
    ['everywhere', { global: instances }],
    ['in the organization', { organizations: [{ id: 'o1', endpoints: instances }] }],
    ['in the project', { organizations: [{ id: 'o1', projects: [{ id: 'p1', endpoints: instances }] }] }],
  ])('that is granted %s is enough', (_where, acl) => {
    expect(judgeAccess(acl, where).verdict).toBe('good');
  });

  it('in another organization or project does not count', () => {
    expect(allows({ organizations: [{ id: 'o2', endpoints: instances }] }, 'compute:instances', 'read', where)).toBe(
      false,
    );
    expect(
      allows(
        { organizations: [{ id: 'o1', projects: [{ id: 'p2', endpoints: instances }] }] },
        'compute:instances',
        'read',
        where,
      ),
    ).toBe(false);
  });

  it('that is missing is reported', () => {
    expect(
      judgeAccess(
        { organizations: [{ id: 'o1', endpoints: [{ name: 'compute:instances', operations: ['read'] }] }] },
        where,
      ),
    ).toMatchObject({ verdict: 'warning', found: 'you may not create instances, see networks' });
  });
});
