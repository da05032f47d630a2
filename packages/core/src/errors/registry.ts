export interface ProblemEntry {
  /** The contract's `error` code; a closed set that clients know. */
  readonly wire: WireCode;
  readonly status: number;
  readonly meaning: string;
  /** How the user can solve it. */
  readonly remedy: string;
  /** When the client should retry, for the header `Retry-After`. */
  readonly retryAfter_s?: number;
}

/** The values the contract allows in `error`. */
export const wireCodes = [
  'invalid_request',
  'server_error',
  'access_denied',
  'not_found',
  'conflict',
  'method_not_allowed',
  'unsupported_media_type',
  'request_entity_too_large',
  'unprocessable_content',
  'forbidden',
] as const;
export type WireCode = (typeof wireCodes)[number];

/** Every error a user can see. The reference page of errors is generated from this table. */
export const problems = {
  invalid_request: {
    wire: 'invalid_request',
    status: 400,
    meaning: 'The request does not have the form the operation needs, or its target is being deleted.',
    remedy: 'Correct the part of the request that the description names and send it again.',
  },
  access_denied: {
    wire: 'access_denied',
    status: 401,
    meaning: 'The token is missing, expired, revoked, or was not issued by this platform.',
    remedy: 'Log in again, or rotate the service account and use its new token.',
  },
  forbidden: {
    wire: 'forbidden',
    status: 403,
    meaning: 'The caller does not have permission for this operation.',
    remedy: 'Ask an administrator of the organization for a role that allows the operation.',
  },
  quota_exceeded: {
    wire: 'forbidden',
    status: 403,
    meaning: 'The quota of the organization is not sufficient for this request.',
    remedy:
      'Delete resources that are no longer needed, request less, or ask the platform operator for a higher quota.',
  },
  in_use: {
    wire: 'forbidden',
    status: 403,
    meaning: 'The resource cannot be deleted because other resources still use it.',
    remedy: 'First delete the resources that the description names.',
  },
  not_found: {
    wire: 'not_found',
    status: 404,
    meaning: 'The resource or path does not exist, or the caller may not see it.',
    remedy: 'Check the identifier. List the resources to see which ones exist.',
  },
  method_not_allowed: {
    wire: 'method_not_allowed',
    status: 405,
    meaning: 'The path does not support this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  conflict: {
    wire: 'conflict',
    status: 409,
    meaning: 'The request conflicts with an existing resource, or with another change made at the same time.',
    remedy: 'Read the resource again, check whether the change is still needed, and send the request again.',
  },
  precondition_failed: {
    wire: 'conflict',
    status: 412,
    meaning: 'The resource is no longer at the version named in If-Match.',
    remedy: 'Read the resource again, take its new ETag, and send the request again.',
  },
  request_entity_too_large: {
    wire: 'request_entity_too_large',
    status: 413,
    meaning: 'The request body is too large.',
    remedy: 'Send a smaller body. The limits of user data and lists are documented.',
  },
  unsupported_media_type: {
    wire: 'unsupported_media_type',
    status: 415,
    meaning: 'The operation does not accept a body of this content type.',
    remedy: 'Send the body as application/json.',
  },
  unprocessable_content: {
    wire: 'unprocessable_content',
    status: 422,
    meaning: 'The request is well formed, but it cannot be fulfilled: for example, it changes an immutable field.',
    remedy: 'Correct the field that the description names.',
  },
  too_many_requests: {
    wire: 'forbidden',
    status: 429,
    meaning:
      'The caller sends too many requests, or has too many requests in progress. Requests without a token are counted by client address. Nothing was changed.',
    remedy: 'Send the request again after the time in the header Retry-After, and send fewer requests at once.',
    retryAfter_s: 1,
  },
  overloaded: {
    wire: 'server_error',
    status: 503,
    meaning: 'The server is overloaded at the moment. Nothing was changed.',
    remedy: 'Send the request again after the time in the header Retry-After.',
    retryAfter_s: 2,
  },
  server_error: {
    wire: 'server_error',
    status: 500,
    meaning: 'An unexpected error occurred in the server.',
    remedy: 'Try again. If the error persists, contact support and give them the trace id.',
  },
  unavailable: {
    wire: 'server_error',
    status: 503,
    meaning:
      'A system that the request needs, such as the cloud of a region, cannot be reached at the moment, or is too slow. The description says so if a change may have been made.',
    remedy:
      'Send the request again after the time in the header Retry-After, and a creation with the same Idempotency-Key.',
    retryAfter_s: 10,
  },
  expired: {
    wire: 'invalid_request',
    status: 400,
    meaning: 'The continue token or watch position is too old: the changes after it are no longer stored.',
    remedy: 'List again from the start, then watch from the version that the list returns.',
  },
  invalid_object: {
    wire: 'server_error',
    status: 500,
    meaning: 'A service tried to store an invalid object.',
    remedy: 'This is a bug in the service. Report it with the trace id.',
  },
  storage_full: {
    wire: 'server_error',
    status: 500,
    meaning:
      'The disk of the state directory is full, or the configured size limit is reached. The change was not made.',
    remedy: 'Free disk space, or raise the limit. A restart is not needed.',
  },
  storage_unavailable: {
    wire: 'server_error',
    status: 503,
    meaning:
      'The store, a disk or a Kubernetes API server, cannot be read or written at the moment. The description says whether a change may have been made.',
    remedy:
      'Send the request again after the time in the header Retry-After, and a creation with the same Idempotency-Key. If the error persists, the operator finds the details in the log.',
    retryAfter_s: 5,
  },
  storage_unusable: {
    wire: 'server_error',
    status: 500,
    meaning:
      'The state cannot be opened: it is in use by another process, read-only, damaged, written by a newer release, or not a Unikorn state.',
    remedy: 'The message names the file and the problem. Nothing was changed.',
  },
} as const satisfies Record<string, ProblemEntry>;

export type ProblemCode = keyof typeof problems;
