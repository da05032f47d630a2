import { ProviderFailure, type FailureKind } from '../../../provider/index.ts';
import type { HttpReply, Method, NoAnswer } from './http.ts';
import { limits } from './limits.ts';

/** A call as operators read about it. */
export interface CallLabel {
  /** As the catalogue names it, such as `compute`. */
  readonly service: string;
  readonly method: Method;
  /** Without the query. */
  readonly path: string;
  /** Such as `creating the network`; part of the message that users see. */
  readonly doing: string;
}

/** What the cloud said. It is the cause of a `ProviderFailure`, for logs and for operators only. */
export class CloudError extends Error {
  override readonly name = 'CloudError';
  readonly service: string;
  readonly method: Method;
  readonly path: string;
  /** Absent where there was no answer. */
  readonly status: number | undefined;
  /** The number of the call in the logs of the cloud. */
  readonly requestId: string | undefined;

  constructor({ service, method, path }: CallLabel, words: string, reply?: HttpReply, options?: ErrorOptions) {
    const status = reply?.status;
    const answered = status === undefined ? 'did not answer' : `answered ${status}`;
    super(`${service} ${answered} to ${method} ${path}: ${words.slice(0, limits.words)}`, options);
    this.service = service;
    this.method = method;
    this.path = path;
    this.status = status;
    this.requestId = reply && requestIdIn(reply.headers);
  }
}

/** The number by which a service logs a call. */
export function requestIdIn(headers: HttpReply['headers']): string | undefined {
  return headers['x-openstack-request-id'] ?? headers['x-compute-request-id'];
}

const sentences: Readonly<Record<FailureKind, (doing: string) => string>> = {
  transient: (doing) => `the cloud of this region failed while ${doing}; try again`,
  unavailable: (doing) => `the cloud of this region does not answer at the moment (while ${doing}); try again`,
  capacity: (doing) => `the cloud of this region has no free capacity (while ${doing})`,
  quota: (doing) => `a quota of the cloud is reached (while ${doing}): the platform operator must raise it`,
  in_use: (doing) => `the cloud refused ${doing}: something still uses it`,
  conflict: (doing) => `the cloud refused ${doing}: its present state does not allow it`,
  unrealised_identity: (doing) => `the identity does not exist in the cloud yet (while ${doing})`,
  not_found: (doing) => `something does not exist in the cloud (while ${doing})`,
  invalid: (doing) => `the cloud does not accept ${doing} as it was asked for`,
  permission: (doing) =>
    `the credentials of this region do not allow ${doing}: the platform operator must check them and the policies of the cloud`,
  inconsistent: (doing) => `the cloud is in an unexpected state (while ${doing}): the platform operator must check it`,
};

export function failed(kind: FailureKind, { doing }: Pick<CallLabel, 'doing'>, cause?: unknown): ProviderFailure {
  return new ProviderFailure(kind, sentences[kind](doing), { cause });
}

/** The failure of a call that has no complete answer. */
export function silentFailure(call: CallLabel, error: NoAnswer): ProviderFailure {
  const cause = new CloudError(call, error.message, undefined, { cause: error });
  if (error.silence === 'untrusted')
    return new ProviderFailure(
      'unavailable',
      'the certificate of the cloud of this region is not trusted: the platform operator must check it',
      { cause },
    );
  return failed(error.silence === 'unreachable' ? 'unavailable' : unclear(call.method), call, cause);
}

/** The failure of a call whose answer cannot be understood. */
export function garbledFailure(call: CallLabel, reply: HttpReply, why: string): ProviderFailure {
  return failed(unclear(call.method), call, new CloudError(call, why, reply));
}

/** A call that changes something may have been carried out. */
function unclear(method: Method): FailureKind {
  return method === 'GET' ? 'unavailable' : 'transient';
}

/** The failure that an answer stands for. */
export function answeredFailure(call: CallLabel, reply: HttpReply): ProviderFailure {
  const { words, type } = wordsOf(reply.text);
  return failed(kindOf(call, reply, words, type), call, new CloudError(call, words, reply));
}

function kindOf({ method }: CallLabel, reply: HttpReply, words: string, type: string): FailureKind {
  const { status } = reply;
  if (status === 403 || status === 409 || status === 413) {
    const scarce = scarcityOf(words, type);
    if (scarce) return scarce;
  }
  switch (status) {
    case 401:
    case 403:
      return 'permission';
    case 404:
      return isOfService(reply) ? 'not_found' : 'unavailable';
    case 408:
    case 500:
      return unclear(method);
    case 409:
      return isInUse(method, words, type) ? 'in_use' : 'conflict';
    case 413:
    case 429:
      return 'unavailable';
    // The service, or the driver behind it, does not have what the call asks for.
    case 501:
      return 'invalid';
    default:
      if (status >= 500) return 'unavailable';
      return /NoMoreAddresses|IpAddressGenerationFailure|Exhausted/i.test(type) ? 'capacity' : 'invalid';
  }
}

/** Nova and Octavia report an exhausted quota as 403, Neutron as 409. */
function scarcityOf(words: string, type: string): FailureKind | undefined {
  if (/OverQuota/i.test(type) || /quota (exceeded|has been met)|exceeds? .*quota/i.test(words)) return 'quota';
  return /IpAddressGenerationFailure|Exhausted|NoNetworkAvailable/i.test(type) ? 'capacity' : undefined;
}

function isInUse(method: Method, words: string, type: string): boolean {
  if (/^(RouterInUse|RouterInterfaceInUse|SubnetInUse|NetworkInUse|SecurityGroupInUse|PortInUse)/.test(type))
    return true;
  return method === 'DELETE' && /in use|still (has|contains)/i.test(words);
}

/**
 * A service numbers its answers, and describes its errors in JSON. A proxy in front of it does neither, and its 404
 * says nothing about what the service has.
 */
function isOfService({ headers, text }: HttpReply): boolean {
  return requestIdIn(headers) !== undefined || parsed(text) !== undefined;
}

/** The error of a body, in the form of each service; `type` is Neutron's. */
export function wordsOf(text: string): { readonly words: string; readonly type: string } {
  const found = deepest(parsed(text));
  const words = firstText(found, ['message', 'detail', 'faultstring', 'error_message', 'description', 'title']);
  return { words: words ?? text.replaceAll(/<[^>]*>|\s+/g, ' ').trim(), type: firstText(found, ['type']) ?? '' };
}

/** Most services put their error into an object of its own, and Placement into a list. */
function deepest(value: unknown): Readonly<Record<string, unknown>> {
  const fields = fieldsOf(Array.isArray(value) ? value[0] : value);
  const [inner, ...others] = Object.values(fields);
  return others.length === 0 && typeof inner === 'object' ? deepest(inner) : fields;
}

function firstText(fields: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
