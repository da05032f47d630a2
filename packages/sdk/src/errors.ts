import type { ErrorBody } from './types.ts';

/**
 * A service refused a request.
 *
 * @example if (error instanceof ApiError && error.status === 404) return undefined;
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The error code for programs, such as `conflict`. */
  readonly code: string;
  /** For the platform operator, who finds the request in the log by it. */
  readonly traceId: string | undefined;
  /** The whole body of the response. Some refusals contain more than the error, such as the plan of an update. */
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
 * Whether a service refused a request before it began, and may accept it later: there were too many requests, or it did
 * not receive the whole request.
 */
export function isPutOff({ status }: Pick<ApiError, 'status'>): boolean {
  return status === 408 || status === 429;
}

/**
 * There is no response: wrong address, no network, or no server at this address.
 *
 * @example if (error instanceof ConnectionError) console.error(`is the server running? ${error.message}`);
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly request: string;

  constructor(request: string, cause: unknown) {
    super(`${originOf(request)} cannot be reached: ${deepestMessage(cause)}`, { cause });
    this.request = request;
  }
}

/**
 * A resource failed, or was deleted, during a wait.
 *
 * @example if (error instanceof NotSettledError) console.error(error.message);
 */
export class NotSettledError extends Error {
  override readonly name = 'NotSettledError';
  readonly outcome: 'failed' | 'deleted';

  constructor(outcome: 'failed' | 'deleted', message: string) {
    super(message);
    this.outcome = outcome;
  }
}

/** The origin of a request such as `GET http://127.0.0.1:8080/compute/api/version`. */
function originOf(request: string): string {
  return new URL(request.split(' ')[1] ?? request).origin;
}

/** Runtimes wrap the cause of an error, and the outer message is only "fetch failed". */
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
    message: `${originOf(request)} did not answer like a control plane: ${response.status} ${summary}`,
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
