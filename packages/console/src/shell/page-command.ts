import { shellWord } from '../parts/equivalent.ts';

type Scope = 'organization' | 'project';

interface PageCommand {
  /** The page below the project, the organization or the platform. `:id` stands for one resource. The first fits. */
  readonly page: string;
  readonly command: string;
}

const ofProject: readonly PageCommand[] = [
  { page: 'instances', command: 'instance list' },
  { page: 'instances/new', command: 'instance create NAME --network NETWORK --flavor FLAVOR --image IMAGE' },
  { page: 'instances/:id', command: 'instance explain :id' },
  { page: 'instances/:id/network', command: 'instance get :id' },
  { page: 'instances/:id/console', command: 'instance logs :id' },
  { page: 'instances/:id/history', command: 'instance history :id' },
  { page: 'instances/:id/settings', command: 'instance get :id -o yaml' },
  ...[
    ['networks', 'network'],
    ['security-groups', 'securitygroup'],
    ['load-balancers', 'loadbalancer'],
    ['file-storage', 'filestorage'],
    ['ssh-authorities', 'sshca'],
  ].flatMap(([page = '', noun = '']) => [
    { page, command: `${noun} list` },
    { page: `${page}/:id`, command: `${noun} get :id` },
    { page: `${page}/:id/history`, command: `${noun} history :id` },
  ]),
  { page: 'activity', command: 'activity' },
];

const ofOrganization: readonly PageCommand[] = [
  { page: 'instances', command: 'instance list --all-projects' },
  { page: 'images', command: 'image list' },
  { page: 'images/:region/:id', command: 'image get :id --region :region' },
  { page: 'images/:region/:id/history', command: 'image history :id --region :region' },
  { page: 'quotas', command: 'quota list' },
  { page: 'projects', command: 'project list' },
  { page: 'users', command: 'user list' },
  { page: 'groups', command: 'group list' },
  { page: 'groups/roles', command: 'group list' },
  { page: 'projects/groups', command: 'project list' },
  { page: 'roles', command: 'role list' },
  { page: 'service-accounts', command: 'serviceaccount list' },
  { page: 'login-providers', command: 'loginprovider list' },
  { page: 'activity', command: 'activity --all-projects' },
];

const ofPlatform: readonly PageCommand[] = [
  { page: 'organizations', command: 'organization list' },
  { page: 'organizations/:id', command: 'organization get :id' },
  { page: 'operators', command: 'globalrole list' },
  { page: 'applications', command: 'oauth2client list' },
  { page: 'regions', command: 'region list' },
  { page: 'regions/:id', command: 'region get :id' },
  { page: 'regions/:id/simulation', command: 'region simulation :id' },
  { page: 'storage-classes', command: 'filestorageclass list' },
  { page: 'findings', command: 'finding list' },
  { page: 'sagas', command: 'saga list' },
  { page: 'controllers', command: 'controller list' },
];

/**
 * The command that shows the same as a page; undefined if the command line has none.
 *
 * @example pageCommand('/o/1/p/2/instances', { organization: 'acme', project: 'shop' })
 */
export function pageCommand(
  pathname: string,
  place: Readonly<Partial<Record<Scope, string | undefined>>>,
): string | undefined {
  const [, project, organization, platform] =
    /^\/(?:o\/[^/]+\/p\/[^/]+\/(.+?)|o\/[^/]+\/(.+?)|platform\/(.+?))\/?$/.exec(pathname) ?? [];
  const inProject = project === undefined ? undefined : commandIn(ofProject, project);
  if (inProject !== undefined) return written(inProject, ['organization', 'project'], place);
  // The images of a project are those of its organization.
  const inOrganization = commandIn(ofOrganization, project ?? organization ?? '');
  if (inOrganization !== undefined) return written(inOrganization, ['organization'], place);
  const onPlatform = commandIn(ofPlatform, platform ?? '');
  return onPlatform === undefined ? undefined : written(onPlatform, [], place);
}

function commandIn(commands: readonly PageCommand[], page: string): string | undefined {
  const parts = page.split('/');
  for (const each of commands) {
    const pattern = each.page.split('/');
    const fits = (name: string, index: number) => name.startsWith(':') || name === parts[index];
    if (pattern.length !== parts.length || !pattern.every(fits)) continue;
    return each.command.replace(/:\w+/g, (name) => shellWord(decodeURIComponent(parts[pattern.indexOf(name)] ?? '')));
  }
  return undefined;
}

function written(
  command: string,
  scopes: readonly Scope[],
  place: Readonly<Partial<Record<Scope, string | undefined>>>,
): string {
  const flags = scopes.flatMap((scope) => {
    const where = place[scope];
    return where === undefined || where === '' ? [] : [`--${scope} ${shellWord(where)}`];
  });
  return ['npx unikorn', command, ...flags].join(' ');
}
