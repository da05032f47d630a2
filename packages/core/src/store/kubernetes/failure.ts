import { isProblem, Problem } from '../../errors/index.ts';
import type { Answer } from './client.ts';
import { statusOf } from './status.ts';

/** The object of a refused request, for the message. */
interface Subject {
  readonly kind: string;
  readonly name?: string;
}

/** No answer tells whether a write took effect. The engine reads the object to find out. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
}

/** The answer of the API server that a problem comes from. */
class Answered extends Error {
  override readonly name = 'Answered';
  readonly status: number;

  constructor({ status, body }: Answer) {
    super(`the API server answered ${status}: ${statusOf(body)?.message ?? String(body)}`);
    this.status = status;
  }
}

/** Whether the API server will give the same answer until somebody changes a right, a credential or a definition. */
export function isRefused(thrown: unknown): boolean {
  return isProblem(thrown) && thrown.cause instanceof Answered && [401, 403, 404].includes(thrown.cause.status);
}

/** The API server did not answer in time, or not at all. */
export function unreachable(cause: unknown): Problem {
  return new Problem('storage_unavailable', 'the Kubernetes API server does not answer at the moment', { cause });
}

export function closedProblem(): Problem {
  return new Problem('storage_unavailable', 'the store is closed');
}

/** Whether the answer says that the object does not exist. A missing kind or namespace is something else. */
export function isMissing({ status, body }: Answer, name: string): boolean {
  return status === 404 && statusOf(body)?.details?.name === name && statusOf(body)?.details?.kind !== 'namespaces';
}

/**
 * The problem that a refusal of the API server means. Its own message can contain values of the object, so it is only
 * the cause, for the log.
 */
export function refusalOf(answer: Answer, { kind, name }: Subject): Problem {
  const { status, body } = answer;
  const cause = new Answered(answer);
  const subject = name === undefined ? kind : `${kind} ${name}`;
  switch (status) {
    case 400:
      return new Problem('invalid_request', `${subject}: the Kubernetes API server does not accept the request`, {
        cause,
      });
    case 401:
      return new Problem(
        'storage_unavailable',
        `${subject}: the Kubernetes API server refuses the credentials of this process: check its kubeconfig, or the token of its service account`,
        { cause },
      );
    case 403:
      return new Problem('storage_unavailable', missingRight(statusOf(body)?.message) ?? forbidden(subject), { cause });
    case 404:
      return new Problem(
        'storage_unusable',
        `${subject}: its namespace or its custom resource definition is missing: create the namespace, and apply deploy/crds of this version`,
        { cause },
      );
    case 409:
      return new Problem('conflict', `${subject} was changed or created by another writer at the same time`, { cause });
    case 410:
      return new Problem(
        'expired',
        'changes after this version are no longer stored: list again, and watch from the version that the list returns',
        { cause },
      );
    case 413:
      return new Problem('request_entity_too_large', `${subject} is too large for the Kubernetes API server`, {
        cause,
      });
    case 422:
      return new Problem('invalid_object', `${subject}: the Kubernetes API server refuses the object`, { cause });
    default:
      return unreachable(cause);
  }
}

/** The sentence of the authorizer of Kubernetes. It names the right, and nothing of the object. */
const denial =
  /User "(?<user>[^"]+)" cannot (?<verb>\S+) resource "(?<resource>[^"]+)" in API group "(?<group>[^"]*)"(?: in the namespace "(?<namespace>[^"]+)")?/;

const serviceAccount = /^system:serviceaccount:(?<namespace>[^:]+):(?<name>[^:]+)$/;

/** The right that is missing, and where to add it; undefined if the API server refuses for another reason. */
export function missingRight(message = ''): string | undefined {
  const { user, verb, resource, group, namespace } = denial.exec(message)?.groups ?? {};
  if (user === undefined || verb === undefined || resource === undefined) return undefined;
  const account = serviceAccount.exec(user)?.groups;
  const holder = account
    ? `the service account ${account['name'] ?? ''} of the namespace ${account['namespace'] ?? ''}`
    : `the user ${user}`;
  const [kind = resource, ...subresource] = resource.split('/');
  const target = [`${kind}${group ? `.${group}` : ''}`, ...subresource].join('/');
  const place = namespace === undefined ? '' : ` in the namespace ${namespace}`;
  const remedy = account
    ? `add the verb to the Role ${account['name'] ?? ''}; the chart of this version has it (templates/rbac.yaml), so upgrade the release`
    : 'give this user a Role with the verb';
  return `${holder} may not ${verb} ${target}${place}: ${remedy}`;
}

function forbidden(subject: string): string {
  return `${subject}: the Kubernetes API server forbids the request: an admission policy or a quota refuses it, and the log has its answer`;
}
