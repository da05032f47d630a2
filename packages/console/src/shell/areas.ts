import type { IconName } from '../parts/icon.tsx';
import type { Area, Rights } from '../session/rights.ts';
import { words } from '../words/index.ts';

/** An entry of the rail. A new noun adds one line to one of the lists. */
export interface Entry {
  readonly to: string;
  readonly title: string;
  readonly icon: IconName;
  /** Users without the right to read this do not see the entry. */
  readonly area: Area;
}

const { areas } = words.shell;

/** Below `/o/$org/p/$project/`. */
export const projectEntries: readonly Entry[] = [
  { to: 'instances', title: areas.instances, icon: 'instances', area: 'compute:instances' },
  { to: 'networks', title: areas.networks, icon: 'networks', area: 'region:networks:v2' },
  { to: 'security-groups', title: areas.securityGroups, icon: 'securityGroups', area: 'region:securitygroups:v2' },
  { to: 'load-balancers', title: areas.loadBalancers, icon: 'loadBalancers', area: 'region:loadbalancers:v2' },
  { to: 'file-storage', title: areas.fileStorage, icon: 'fileStorage', area: 'region:filestorage:v2' },
  {
    to: 'ssh-authorities',
    title: areas.sshAuthorities,
    icon: 'sshAuthorities',
    area: 'region:sshcertificateauthorities:v2',
  },
  { to: 'images', title: areas.images, icon: 'images', area: 'region:images' },
  { to: 'activity', title: areas.activity, icon: 'activity', area: 'compute:instances' },
];

/** Below `/o/$org/`. */
export const organizationEntries: readonly Entry[] = [
  { to: 'instances', title: areas.allInstances, icon: 'instances', area: 'compute:instances' },
  { to: 'quotas', title: areas.quotas, icon: 'quotas', area: 'identity:quotas' },
  { to: 'projects', title: areas.projects, icon: 'projects', area: 'identity:projects' },
  { to: 'users', title: areas.users, icon: 'people', area: 'identity:users' },
  { to: 'groups', title: areas.groups, icon: 'groups', area: 'identity:groups' },
  { to: 'roles', title: areas.roles, icon: 'roles', area: 'identity:roles' },
  { to: 'service-accounts', title: areas.serviceAccounts, icon: 'key', area: 'identity:serviceaccounts' },
  { to: 'login-providers', title: areas.loginProviders, icon: 'login', area: 'identity:oauth2providers' },
  { to: 'activity', title: areas.activity, icon: 'activity', area: 'identity:projects' },
  { to: 'settings', title: areas.organizationSettings, icon: 'settings', area: 'identity:organizations' },
];

/** Below `/platform/`; only for users with the right on the whole platform. */
export const platformEntries: readonly Entry[] = [
  { to: 'organizations', title: areas.organizations, icon: 'organizations', area: 'identity:organizations' },
  { to: 'operators', title: areas.operators, icon: 'people', area: 'identity:roles' },
  { to: 'applications', title: areas.applications, icon: 'login', area: 'identity:oauth2clients' },
  { to: 'regions', title: areas.regions, icon: 'regions', area: 'region:regions' },
  { to: 'storage-classes', title: areas.storageClasses, icon: 'fileStorage', area: 'region:filestorageclass:v2' },
  { to: 'findings', title: areas.findings, icon: 'findings', area: 'core:sagas' },
  { to: 'sagas', title: areas.sagas, icon: 'sagas', area: 'core:sagas' },
  { to: 'controllers', title: areas.controllers, icon: 'controllers', area: 'core:sagas' },
  { to: 'guided-minute', title: areas.guidedMinute, icon: 'play', area: 'region:regions/simulation' },
];

export interface Group {
  readonly title: string;
  readonly entries: readonly (Entry & { readonly path: string })[];
}

/** The groups of the rail that this user may see, at this place. */
export function groupsFor(
  { organization, project }: { readonly organization: string | undefined; readonly project: string | undefined },
  rights: Rights,
): readonly Group[] {
  const below = (base: string, entries: readonly Entry[], isOpen: (entry: Entry) => boolean) =>
    entries.filter(isOpen).map((entry) => ({ ...entry, path: `${base}/${entry.to}` }));
  const groups = [
    {
      title: words.shell.project,
      entries:
        organization === undefined || project === undefined
          ? []
          : below(`/o/${organization}/p/${project}`, projectEntries, ({ area }) => rights.may(area, 'read', project)),
    },
    {
      title: words.shell.organization,
      entries:
        organization === undefined
          ? []
          : below(`/o/${organization}`, organizationEntries, ({ area }) => rights.may(area, 'read')),
    },
    {
      title: words.shell.platform,
      entries: below('/platform', platformEntries, ({ area }) => rights.mayGlobally(area, 'read')),
    },
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}
