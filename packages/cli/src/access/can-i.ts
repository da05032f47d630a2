import { dataOf, type Acl } from '@unikorn/sdk';

import { closest } from '../closest.ts';
import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { nouns } from '../nouns/index.ts';
import { documentText } from '../output/print.ts';
import { openSession, type Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import { endpointsOf, operations, reachOf, type Operation, type Where } from './rights.ts';

/** Other words for an operation that users may type. */
const synonyms: Readonly<Record<string, Operation>> = { get: 'read', list: 'read', watch: 'read' };

/** The endpoints in access lists, by the noun that commands use. */
const nounEndpoints: Readonly<Record<string, string>> = {
  instance: 'compute:instances',
  network: 'region:networks:v2',
  securitygroup: 'region:securitygroups:v2',
  loadbalancer: 'region:loadbalancers:v2',
  filestorage: 'region:filestorage:v2',
  filestorageclass: 'region:filestorageclass:v2',
  sshca: 'region:sshcertificateauthorities:v2',
  image: 'region:images',
  flavor: 'region:flavors',
  region: 'region:regions',
  organization: 'identity:organizations',
  project: 'identity:projects',
  group: 'identity:groups',
  user: 'identity:users',
  serviceaccount: 'identity:serviceaccounts',
  role: 'identity:roles',
};

/** Prints whether the caller may do an operation in the current scope. If not, the command ends with a refusal. */
export async function canI(verb: string, what: string, options: GlobalOptions, terminal: Terminal): Promise<void> {
  const operation = operationOf(verb);
  const session = await openSession(terminal, options);
  const acl = await dataOf(session.unikorn.identity.GET('/api/v1/acl'));
  const endpoint = endpointOf(what);
  const reach = reachOf(acl, operation, endpoint, await placeOf(session));
  const { output } = options;
  const isDocument = output === 'json' || output === 'yaml';
  if (isDocument)
    terminal.stdout.write(await documentText(output, { allowed: reach !== 'nowhere', operation, endpoint }));
  if (reach === 'nowhere')
    throw new Failure(
      'forbidden',
      `no: your roles do not allow ${operation} on ${endpoint} here`,
      hintFor(acl, endpoint),
    );
  if (!isDocument) terminal.stdout.write(`yes, ${reach}\n`);
}

function operationOf(verb: string): Operation {
  const found = operations.find((operation) => operation === verb) ?? synonyms[verb];
  if (found === undefined)
    throw new Failure('usage', `${verb} is not an operation`, `there are: ${operations.join(', ')}`);
  return found;
}

/** Accepts an endpoint as it is written in access lists, or a noun. */
function endpointOf(what: string): string {
  const noun = nouns.find(({ name, plural, aliases = [] }) => [name, plural, ...aliases].includes(what));
  const endpoint = noun ? nounEndpoints[noun.name] : what;
  if (endpoint?.includes(':') !== true)
    throw new Failure(
      'usage',
      `${what} is not an endpoint`,
      'write it as compute:instances, or as a noun such as instance',
    );
  return endpoint;
}

async function placeOf(session: Session): Promise<Where> {
  return {
    organizationId: await session.optionalIdOf('organization'),
    projectId: await session.optionalIdOf('project'),
  };
}

function hintFor(acl: Acl, endpoint: string): string {
  const known = endpointsOf(acl);
  if (known.length === 0)
    return 'you have no permissions: ask an administrator of the organization to add you to a group';
  const close = known.includes(endpoint) ? [] : closest(endpoint, known);
  return close.length > 0 ? `did you mean ${close.join(' or ')}?` : 'unikorn whoami -o yaml shows all your permissions';
}
