import { isProblem, Problem, problems } from '../errors/index.ts';
import { property } from './json.ts';

/** The error response of the contract. */
export interface Failure {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

/** The message for users when the cause must not be shown. */
const unexpected =
  'an unexpected error occurred; try again, and if the error persists, contact support with the trace id';

/** Converts Fastify's own errors to problems. All other errors are unexpected. */
const frameworkProblems: Readonly<Record<string, (cause: unknown) => Problem>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (cause) => new Problem('request_entity_too_large', 'body: is too large', { cause }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (cause) =>
    new Problem('invalid_request', 'header Content-Type: must be application/json', { cause }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: (cause) =>
    new Problem('invalid_request', 'header Content-Length: does not match the body', { cause }),
  FST_ERR_BAD_URL: (cause) => new Problem('invalid_request', 'path: is not properly encoded', { cause }),
  FST_ERR_MAX_PARAM_LENGTH: (cause) => new Problem('not_found', 'this path does not exist', { cause }),
};

function codeOf(error: unknown): string {
  const code = property(error, 'code');
  return typeof code === 'string' ? code : '';
}

/** Converts a thrown value to the problem to show. */
export function problemOf(thrown: unknown): Problem {
  if (isProblem(thrown)) return thrown;
  return frameworkProblems[codeOf(thrown)]?.(thrown) ?? new Problem('server_error', unexpected, { cause: thrown });
}

/** The connection broke, or the time ran out, in the middle of the body. This is an error of the client. */
export function cutOff(cause: unknown): Problem {
  return new Problem('invalid_request', 'body: is incomplete', { cause });
}

/** Header values may only contain visible ASCII without quotes. */
function quotable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]|["\\]/g, ' ');
}

export function failureOf(problem: Problem, traceId: string, resourceMetadata: string): Failure {
  const { wire, status } = problems[problem.code];
  const challenge = `Bearer error="${wire}",error_description="${quotable(problem.message)}",resource_metadata="${quotable(resourceMetadata)}"`;
  return {
    status,
    body: { error: wire, error_description: problem.message, trace_id: traceId },
    headers: {
      'cache-control': 'no-cache',
      ...(problem.retryAfter_s === undefined ? {} : { 'retry-after': String(problem.retryAfter_s) }),
      ...(status === 401 ? { 'www-authenticate': challenge } : {}),
    },
  };
}
