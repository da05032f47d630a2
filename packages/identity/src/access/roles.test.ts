import { describe, expect, it } from 'vitest';

import { type Acl } from '@unikorn/core/access';

import { mayGrant } from './grant.ts';
import { builtInRoles, RoleCatalogue, roleIdOf, type Role } from './roles.ts';

/** The table from the dossier. */
const dossier = `
| identity:organizations | CRUD | R | - | - | o:RU | o:R | - | - |
| identity:oauth2providers, serviceaccounts, users, roles, groups | CRUD | R | - | - | o:CRUD | o:R | - | - |
| identity:projects | CRUD | R | R | R | o:CRUD | o:R | p:R | p:R |
| identity:projects/references | CRUD | - | CD | - | - | - | - | - |
| identity:quotas | CRUD | R | - | - | o:R | o:R | o:R | o:R |
| identity:allocations | CRUD | R | CRUD | CRUD | - | - | - | - |
| region:regions, region:flavors | CRUD | R | - | R | o:R | o:R | o:R | o:R |
| region:images | CRUD | R | - | CR | o:CRD | o:R | o:CRD | o:R |
| region:externalnetworks | CRUD | R | - | - | - | - | - | - |
| region:identities | CRUD | - | - | CRD | - | - | - | - |
| region:identities/references, networks/references, networks:v2/references | CRUD | - | - | - | - | - | - | - |
| region:networks | CRUD | R | - | CRD | - | - | - | - |
| region:networks:v2, region:securitygroups:v2 | CRUD | R | - | R | o:CRUD | o:R | p:CRUD | p:R |
| region:securitygroups, region:servers | CRUD | R | - | CRUD | - | - | - | - |
| region:servers:v2 | CRUD | - | - | CRUD | - | - | - | - |
| region:loadbalancers:v2, region:filestorage:v2 | CRUD | R | - | - | o:CRUD | o:R | p:CRUD | p:R |
| region:volumes:v2 | CRUD | - | - | - | o:CRUD | o:R | p:CRUD | p:R |
| region:volumeclasses:v2 | R | R | - | - | o:R | o:R | o:R | o:R |
| region:filestorageclass:v2 | CRUD | R | - | - | o:R | o:R | o:R | o:R |
| region:sshcertificateauthorities:v2 | CRD | R | - | R | o:CRD | o:R | p:CRD | p:R |
| compute:regions, flavors, images | CRUD | R | - | - | o:R | o:R | o:R | o:R |
| compute:instances, compute:clusters | CRUD | - | - | - | o:CRUD | o:R | p:CRUD | p:R |
| kubernetes:clusters, virtualclusters; storage:objectstorageendpoints/accesskeys | CRUD | - | - | - | o:CRUD | o:R | p:CRUD | p:R |
| storage:objectstorageendpoints | CRUD | R | - | - | o:CRUD | o:R | p:CRUD | p:R |
| kubernetes:regions, flavors, images; storage:objectstorageclasses | CRUD | R | - | - | o:R | o:R | o:R | o:R |
| kubernetes:clustermanagers | CRUD | R | - | - | - | - | - | - |`;

const columns = [
  'platform-administrator',
  'platform-reader',
  'region-service',
  'compute-service',
  'administrator',
  'auditor',
  'user',
  'reader',
];

/** The rows for the additional verbs; there are no others. */
const ours =
  /^(compute:instances|region:servers)\/(power|console|sshkey|snapshot)$|^region:(securitygroups|sshcertificateauthorities):v2\/references$|^region:regions\/simulation$|^core:sagas$|^identity:oauth2clients$/;

type Lines = readonly string[];

/** Permissions that the original grants to other roles only, and this project also to these roles. */
const granted: Readonly<Record<string, Lines>> = {
  'platform-administrator': ['region:regions/detail R'],
  'compute-service': ['identity:projects/references CRD', 'identity:quotas R', 'region:networks:v2/references CRD'],
};

function expected(column: number): Lines {
  return dossier
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [, names = '', ...cells] = row.split('|').map((cell) => cell.trim());
      const cell = cells[column] ?? '-';
      return cell === '-' ? [] : fullNames(names).map((name) => `${name} ${cell}`);
    })
    .sort();
}

function fullNames(names: string): Lines {
  let service = '';
  return names.split(/[;,] /).map((name) => {
    const [first = '', rest] =
      /^[a-z]+:[a-z]/.test(name) && name.split(':')[0] !== 'networks'
        ? [name.split(':')[0], name.slice(name.indexOf(':') + 1)]
        : ['', undefined];
    service = first || service;
    return rest === undefined ? `${service}:${name}` : `${service}:${rest}`;
  });
}

function actual({ scopes }: Role, own: boolean): Lines {
  const letters = (operations: readonly string[]) =>
    operations.map((operation) => operation.charAt(0).toUpperCase()).join('');
  const lines = (prefix: string, block: Role['scopes']['global']) =>
    block
      .filter(({ name }) => ours.test(name) === own)
      .map(({ name, operations }) => `${name} ${prefix}${letters(operations)}`);
  return [...lines('', scopes.global), ...lines('o:', scopes.organization), ...lines('p:', scopes.project)].sort();
}

const catalogue = new RoleCatalogue();

/** Everything that a role grants to a member of an organization with one project. */
function holderOf(name: string): Acl {
  const { scopes } = catalogue.named(name);
  return {
    organizations: [{ id: 'o', endpoints: scopes.organization, projects: [{ id: 'p', endpoints: scopes.project }] }],
  };
}

describe('built-in roles', () => {
  it.each(columns.map((name, column) => [name, column] as const))('%s matches the table', (name, column) => {
    expect(actual(catalogue.named(name), false)).toEqual([...expected(column), ...(granted[name] ?? [])].sort());
  });

  it('of other services match the dossier', () => {
    expect(actual(catalogue.named('kubernetes-service'), false)).toEqual(
      [
        'identity:projects R',
        'identity:projects/references CD',
        'identity:allocations CRUD',
        'region:identities CRD',
        'region:identities/references CD',
        'region:regions R',
        'region:regions/detail R',
        'region:flavors R',
        'region:images R',
        'region:externalnetworks R',
        'region:networks CRD',
      ].sort(),
    );
    expect(actual(catalogue.named('storage-service'), false)).toEqual(
      [
        'identity:projects R',
        'identity:projects/references CD',
        'identity:allocations CRUD',
        'region:networks:v2/references CRUD',
      ].sort(),
    );
  });

  it('let only administrators and users change the power of machines, open their consoles and copy their disks', () => {
    const holders = builtInRoles
      .filter((role) => actual(role, true).some((line) => line.startsWith('compute:')))
      .map(({ name }) => name);
    expect(holders).toEqual(['platform-administrator', 'administrator', 'user']);
    expect(actual(catalogue.named('compute-service'), true)).toEqual([
      'region:securitygroups:v2/references CRD',
      'region:servers/console R',
      'region:servers/power U',
      'region:servers/snapshot C',
      'region:servers/sshkey R',
      'region:sshcertificateauthorities:v2/references CRD',
    ]);
    expect(actual(catalogue.named('platform-reader'), true)).toEqual(['core:sagas R', 'identity:oauth2clients R']);
  });

  it('are protected exactly if they belong to the platform', () => {
    expect(builtInRoles.filter((role) => !role.protected).map(({ name }) => name)).toEqual([
      'administrator',
      'auditor',
      'user',
      'reader',
    ]);
  });

  it('keep the same id in every deployment', () => {
    expect(catalogue.named('administrator').id).toBe(roleIdOf('administrator'));
    expect(roleIdOf('administrator')).toMatch(/^[a-f][0-9a-f]{7}-/);
    expect(new Set(builtInRoles.map(({ id }) => id)).size).toBe(builtInRoles.length);
  });
});

describe('who may grant what', () => {
  it.each([
    ['administrator', ['administrator', 'auditor', 'user', 'reader']],
    ['auditor', ['auditor', 'reader']],
    ['user', ['user', 'reader']],
    ['reader', ['reader']],
  ])('%s grants %j', (name, grants) => {
    const acl = holderOf(name);
    expect(builtInRoles.filter((role) => mayGrant(acl, role, 'o')).map((role) => role.name)).toEqual(grants);
    expect(builtInRoles.filter((role) => mayGrant(acl, role, 'other'))).toEqual([]);
  });

  it("the platform's administrator grants every role that is not protected", () => {
    const acl: Acl = { global: catalogue.named('platform-administrator').scopes.global };
    expect(builtInRoles.filter((role) => mayGrant(acl, role, 'o')).map(({ name }) => name)).toEqual([
      'administrator',
      'auditor',
      'user',
      'reader',
    ]);
  });

  it('no caller grants a protected role, whatever their permissions are', () => {
    const everything: Acl = { global: builtInRoles.flatMap(({ scopes }) => scopes.global) };
    expect(builtInRoles.filter((role) => role.protected && mayGrant(everything, role, 'o'))).toEqual([]);
  });
});

describe('the catalogue', () => {
  it('accepts roles of the configuration, but not with an existing name', () => {
    const added = new RoleCatalogue([
      {
        name: 'clerk',
        description: 'keeps the books',
        scopes: { organization: [{ name: 'identity:quotas', operations: ['update'] }] },
      },
    ]);
    expect(added.named('clerk')).toMatchObject({
      id: roleIdOf('clerk'),
      protected: false,
      description: 'keeps the books',
    });
    expect(() => new RoleCatalogue([{ name: 'reader', scopes: {} }])).toThrow('the role reader is defined twice');
    expect(
      () =>
        new RoleCatalogue([
          { name: 'x', scopes: {} },
          { name: 'x', scopes: {} },
        ]),
    ).toThrow('defined twice');
    expect(() => added.named('nobody')).toThrow('there is no role nobody');
  });
});
