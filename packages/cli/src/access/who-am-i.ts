import { dataOf, type Acl } from '@unikorn/sdk';

import type { GlobalOptions } from '../global-options.ts';
import { whoIs, whoText, type Who } from '../login/who.ts';
import { nounNamed } from '../nouns/index.ts';
import { coloursFor } from '../output/colours.ts';
import { documentText } from '../output/print.ts';
import { padded } from '../output/table.ts';
import { about, list } from '../resources.ts';
import { openSession, type Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';

type Endpoints = NonNullable<Acl['global']>;

interface NamedAccess {
  readonly id: string;
  readonly name: string;
  readonly endpoints: Endpoints;
}

/** The user and their permissions, with the names of organizations and projects. */
export interface Access extends Who {
  readonly global: Endpoints;
  readonly organizations: readonly (NamedAccess & { readonly projects: readonly NamedAccess[] })[];
}

export async function whoAmI(options: GlobalOptions, terminal: Terminal): Promise<void> {
  const access = await readAccess(await openSession(terminal, options));
  const { output } = options;
  terminal.stdout.write(
    output === 'json' || output === 'yaml'
      ? await documentText(output, access)
      : output === 'name'
        ? `${access.subject}\n`
        : renderAccess(access, (text) => coloursFor(terminal.stdout, terminal.env).dim(text)),
  );
}

async function readAccess(session: Session): Promise<Access> {
  const [who, { global = [], organizations = [] }] = await Promise.all([
    whoIs(session),
    dataOf(session.unikorn.identity.GET('/api/v1/acl')),
  ]);
  const names = await namesOf(session, 'organization');
  const named = organizations.map(async ({ id, endpoints = [], projects = [] }) => {
    const projectNames =
      projects.length === 0
        ? new Map<string, string>()
        : await namesOf(about(session, { organization: id }), 'project');
    return {
      id,
      name: names.get(id) ?? id,
      endpoints,
      projects: projects.map((project) => ({
        id: project.id,
        name: projectNames.get(project.id) ?? project.id,
        endpoints: project.endpoints,
      })),
    };
  });
  return { ...who, global, organizations: await Promise.all(named) };
}

async function namesOf(session: Session, noun: string): Promise<ReadonlyMap<string, string>> {
  return new Map((await list(session, nounNamed(noun))).map(({ metadata }) => [metadata.id, metadata.name]));
}

/** One line per scope with a summary of the permissions; the JSON and YAML output contains each of them. */
export function renderAccess(access: Access, dim: (text: string) => string): string {
  const { global, organizations } = access;
  const places = organizations.flatMap(({ name, endpoints, projects }) => [
    ...(endpoints.length > 0 ? [[`Organization ${name}`, rightsText(endpoints)] as const] : []),
    ...projects.map((project) => [`Project ${name}/${project.name}`, rightsText(project.endpoints)] as const),
  ]);
  const everywhere = global.length > 0 ? [['Everywhere', rightsText(global)] as const] : [];
  const facts = [['You are', whoText(access)] as const, ...everywhere, ...places];
  const width = Math.max(...facts.map(([label]) => label.length)) + 2;
  const lines = facts.map(([label, text]) => `${dim(padded(`${label}:`, width))} ${text}\n`);
  return [
    ...lines,
    ...(facts.length === 1
      ? ['You have no permissions: ask an administrator of your organization to add you to a group.\n']
      : []),
  ].join('');
}

/** A summary such as `change 12 kinds of resources, read 9`. */
function rightsText(endpoints: Endpoints): string {
  const changed = endpoints.filter(({ operations }) => operations.some((operation) => operation !== 'read')).length;
  const read = endpoints.length - changed;
  const [first = '', ...rest] = [...(changed > 0 ? [`change ${changed}`] : []), ...(read > 0 ? [`read ${read}`] : [])];
  return [`${first} kinds of resources`, ...rest].join(', ');
}
