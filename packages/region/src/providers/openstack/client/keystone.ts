import { Type, type Static } from 'typebox';

import { isProviderFailure } from '../../../provider/index.ts';
import { named, onlyOne } from './names.ts';
import { allOf, listShape } from './pages.ts';
import { segment, type Session } from './session.ts';
import { shapeOf } from './shape.ts';

const service = 'identity';

const Project = Type.Object({
  id: Type.String(),
  name: Type.String(),
  domain_id: Type.String(),
  enabled: Type.Boolean(),
  tags: Type.Optional(Type.Array(Type.String())),
});
export type Project = Readonly<Static<typeof Project>>;

const User = Type.Object({
  id: Type.String(),
  name: Type.String(),
  domain_id: Type.String(),
  enabled: Type.Boolean(),
  default_project_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
export type User = Readonly<Static<typeof User>>;

const Role = Type.Object({ id: Type.String(), name: Type.String() });
export type Role = Readonly<Static<typeof Role>>;

const projects = listShape('projects', Project);
const oneProject = shapeOf(Type.Object({ project: Project }));
const users = listShape('users', User);
const oneUser = shapeOf(Type.Object({ user: User }));
const roles = listShape('roles', Role);

/** The project of this name in a domain; names are unique there. */
export async function findProject(
  session: Session,
  { name, domainId }: { readonly name: string; readonly domainId: string },
): Promise<Project | undefined> {
  const doing = 'looking for the project';
  const query = { name, domain_id: domainId };
  const found = await allOf(session, { service, path: '/projects', query, doing }, projects);
  return onlyOne(named(found, name), { doing, what: `project ${name}` });
}

/** Undefined where it is absent, which Keystone tells a domain manager with 403. */
export async function getProject(session: Session, id: string): Promise<Project | undefined> {
  const path = `/projects/${segment(id)}`;
  const call = { service, method: 'GET', path, doing: 'reading the project' } as const;
  return (await unlessRefused(() => session.find(call, oneProject)))?.project;
}

export async function createProject(
  session: Session,
  project: {
    readonly name: string;
    readonly domainId: string;
    readonly description?: string;
    readonly tags: readonly string[];
  },
): Promise<Project> {
  const { name, domainId: domain_id, description = '', tags } = project;
  const body = { project: { name, domain_id, description, tags } };
  const call = { service, method: 'POST', path: '/projects', body, doing: 'creating the project' } as const;
  return (await session.ask(call, oneProject)).project;
}

/**
 * To a domain manager, Keystone says 403 of a project or user that is absent. So find it by its name first; and a
 * deletion whose answer was lost is not sent again.
 */
export function deleteProject(session: Session, id: string): Promise<void> {
  const path = `/projects/${segment(id)}`;
  return session.remove({ service, path, doing: 'deleting the project', repeatable: false });
}

/** The user of this name in a domain; names are unique there. */
export async function findUser(
  session: Session,
  { name, domainId }: { readonly name: string; readonly domainId: string },
): Promise<User | undefined> {
  const doing = 'looking for the user';
  const query = { name, domain_id: domainId };
  const found = await allOf(session, { service, path: '/users', query, doing }, users);
  return onlyOne(named(found, name), { doing, what: `user ${name}` });
}

/** As with projects. */
export async function getUser(session: Session, id: string): Promise<User | undefined> {
  const call = { service, method: 'GET', path: `/users/${segment(id)}`, doing: 'reading the user' } as const;
  return (await unlessRefused(() => session.find(call, oneUser)))?.user;
}

export async function createUser(
  session: Session,
  user: {
    readonly name: string;
    readonly domainId: string;
    readonly password: string;
    readonly projectId: string;
    readonly description?: string;
  },
): Promise<User> {
  const { name, domainId: domain_id, password, projectId: default_project_id, description = '' } = user;
  const body = { user: { name, domain_id, password, default_project_id, description } };
  const call = { service, method: 'POST', path: '/users', body, doing: 'creating the user' } as const;
  return (await session.ask(call, oneUser)).user;
}

/** An administrator's change, which does not need the old password. It ends the tokens of the user. */
export async function setPassword(session: Session, userId: string, password: string): Promise<void> {
  const body = { user: { password } };
  const path = `/users/${segment(userId)}`;
  await session.tell({ service, method: 'PATCH', path, body, doing: 'changing the password', repeatable: true });
}

/** As with projects. */
export function deleteUser(session: Session, id: string): Promise<void> {
  const path = `/users/${segment(id)}`;
  return session.remove({ service, path, doing: 'deleting the user', repeatable: false });
}

export function listRoles(session: Session): Promise<readonly Role[]> {
  return allOf(session, { service, path: '/roles', doing: 'listing the roles' }, roles);
}

/** Granting a role again changes nothing. */
export function grantRole(
  session: Session,
  { projectId, userId, roleId }: { readonly projectId: string; readonly userId: string; readonly roleId: string },
): Promise<void> {
  const path = `/projects/${segment(projectId)}/users/${segment(userId)}/roles/${segment(roleId)}`;
  return session.tell({ service, method: 'PUT', path, doing: 'granting a role' });
}

async function unlessRefused<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isProviderFailure(error, 'permission')) return undefined;
    throw error;
  }
}
