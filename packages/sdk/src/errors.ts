import type { ErrorBody } from './types.ts';

/** A service refused a request, and says why. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The error code for programs, such as `conflict`. */
  readonly code: string;
  /** For whoever supports the platform. */
  readonly traceId: string | undefined;
  /** All that was answered: some refusals carry more than the error, such as the plan of an update. */
  readonly body: unknown;
  /** Such as `POST https://cloud.example.com/compute/api/v2/instances`. */
  readonly request: string;

  constructor({
    status,
    code,
    message,
    traceId,
    body,
    request,
  }: Pick<ApiError, 'status' | 'code' | 'message' | 'traceId' | 'body' | 'request'>) {
    super(message);
    this.status = status;
    this.code = code;
    this.traceId = traceId;
    this.body = body;
    this.request = request;
  }
}

/**
 * Whether a service refused a request that it has not begun, and may take later: it was asked too often, or did not
 * receive all of it.
 */
export function isPutOff({ status }: Pick<ApiError, 'status'>): boolean {
  return status === 408 || status === 429;
}

/** No service answered: wrong address, no network, or nothing is running there. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly request: string;

  constructor(request: string, cause: unknown) {
    super(`${originOf(request)} cannot be reached: ${deepestMessage(cause)}`, { cause });
    this.request = request;
  }
}

/** A resource failed, or was deleted, during a wait. */
export class NotSettledError extends Error {
  override readonly name = 'NotSettledError';
  readonly outcome: 'failed' | 'deleted';

  constructor(outcome: 'failed' | 'deleted', message: string) {
    super(message);
    this.outcome = outcome;
  }
}

/** Of a request such as `GET http://127.0.0.1:8080/compute/api/version`. */
function originOf(request: string): string {
  return new URL(request.split(' ')[1] ?? request).origin;
}

/** Runtimes wrap what went wrong, and say only "fetch failed" on the outside. */
function deepestMessage(error: unknown): string {
  let current = error;
  while (current instanceof Error && current.cause !== undefined) current = current.cause;
  if (current instanceof AggregateError && current.errors.length > 0) return deepestMessage(current.errors[0]);
  return current instanceof Error ? current.message || current.name : String(current);
}

/** The error of a response, also if a proxy wrote the response. */
export async function errorOf(response: Response, request: string): Promise<ApiError> {
  const text = await response.text();
  const body = parsed(text);
  if (isErrorBody(body))
    return new ApiError({
      status: response.status,
      code: body.error,
      message: body.error_description,
      traceId: body.trace_id,
      body,
      request,
    });
  const summary = text.trim().replace(/\s+/g, ' ').slice(0, 100) || response.statusText || 'nothing';
  return new ApiError({
    status: response.status,
    code: 'unexpected_answer',
    message: `${originOf(request)} does not answer as a control plane does: ${response.status} ${summary}`,
    traceId: undefined,
    body,
    request,
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  return (
    typeof body === 'object' &&
    body !== null &&
    'error' in body &&
    typeof body.error === 'string' &&
    'error_description' in body &&
    typeof body.error_description === 'string'
  );
}
