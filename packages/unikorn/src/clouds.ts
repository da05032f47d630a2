import { Problem, toError } from '@unikorn/core/errors';
import { readCloudsYaml } from '@unikorn/region/providers/openstack';
import type { CloudConnection } from '@unikorn/cli';

export interface ReadCloudsOptions {
  readonly cloud?: string | undefined;
  readonly readAuthority?: (path: string) => Promise<string>;
}

/**
 * The settings and the secret of a region, from a `clouds.yaml`. A region needs a user with a password, in a domain of
 * its own: an application credential belongs to one project, and cannot make others.
 */
export async function connectionOf(
  text: string,
  { cloud, readAuthority }: ReadCloudsOptions,
): Promise<CloudConnection> {
  const { access, credential, scope } = await readCloudsYaml(text, {
    ...(cloud === undefined ? {} : { cloud }),
    ...(readAuthority ? { readAuthority } : {}),
  }).catch((error: unknown) => {
    throw unusable(toError(error).message);
  });
  if (credential.method !== 'password')
    throw unusable(
      'an application credential cannot create projects, and a region creates one for each network: give `username` and `password` of the user of the region instead',
    );
  if (scope === 'own' || !('project' in scope)) throw unusable('`auth` must name the project of the region');
  const { user } = credential;
  const { project } = scope;
  const domain = 'domain' in user ? user.domain : 'domain' in project ? project.domain : undefined;
  if (!domain)
    throw unusable('`auth` must name the domain of the region: user_domain_name or user_domain_id, with `username`');
  if ('domain' in user && 'domain' in project && JSON.stringify(user.domain) !== JSON.stringify(project.domain))
    throw unusable('the user and the project of a region must be in the same domain, named in the same way');
  const { authUrl: endpoint, regionName, interface: chosen, tls } = access;
  return {
    settings: {
      endpoint,
      ...(regionName === undefined ? {} : { regionName }),
      ...(chosen === 'public' ? {} : { interface: chosen }),
      ...(tls.verify && tls.authority === undefined ? {} : { tls }),
    },
    secret: {
      ...('id' in domain ? { 'domain-id': domain.id } : { 'domain-name': domain.name }),
      ...('id' in project ? { 'project-id': project.id } : { 'project-name': project.name }),
      ...('id' in user ? { 'user-id': user.id } : { 'user-name': user.name }),
      password: credential.password,
    },
  };
}

function unusable(why: string): Problem {
  return new Problem('invalid_request', why);
}
