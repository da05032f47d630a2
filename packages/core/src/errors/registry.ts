export interface ProblemEntry {
  /** The contract's `error` code; a closed set that clients know. */
  readonly wire: WireCode;
  readonly status: number;
  readonly meaning: string;
  /** What the person who sees it can do. */
  readonly remedy: string;
  /** After how long it is worth asking again, as the header `Retry-After` says. */
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
    meaning: 'There is no token, or it is expired, revoked or not one of ours.',
    remedy: 'Log in again, or rotate the service account and use its new token.',
  },
  forbidden: {
    wire: 'forbidden',
    status: 403,
    meaning: 'The caller may not do this.',
    remedy: 'Ask an administrator of the organization for a role that allows the operation.',
  },
  quota_exceeded: {
    wire: 'forbidden',
    status: 403,
    meaning: 'The organization has no quota left for what was asked.',
    remedy: 'Delete what is no longer needed, ask for less, or ask for a higher quota.',
  },
  in_use: {
    wire: 'forbidden',
    status: 403,
    meaning: 'The resource cannot be deleted because others still use it.',
    remedy: 'Delete what the description names as users of the resource first.',
  },
  not_found: {
    wire: 'not_found',
    status: 404,
    meaning: 'There is no such resource or path, or the caller may not know of it.',
    remedy: 'Check the identifier; list the resources to see which exist.',
  },
  method_not_allowed: {
    wire: 'method_not_allowed',
    status: 405,
    meaning: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  conflict: {
    wire: 'conflict',
    status: 409,
    meaning: 'The request collides with what is already there, or with another change made at the same time.',
    remedy: 'Read the resource again, decide anew, and send the request again.',
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
    meaning: 'The body is larger than any request needs.',
    remedy: 'Send less; user data and lists have documented limits.',
  },
  unsupported_media_type: {
    wire: 'unsupported_media_type',
    status: 415,
    meaning: 'The operation does not take a body of this type.',
    remedy: 'Send the body as application/json.',
  },
  unprocessable_content: {
    wire: 'unprocessable_content',
    status: 422,
    meaning: 'The request is well formed but asks for something that cannot be, such as changing an immutable field.',
    remedy: 'Correct the field that the description names.',
  },
  too_many_requests: {
    wire: 'forbidden',
    status: 429,
    meaning:
      'The caller, or for requests without a token their address, sends more than is allowed, or has too much under way. Nothing was done.',
    remedy: 'Send the request again after the time that the header Retry-After says, and send fewer at once.',
    retryAfter_s: 1,
  },
  overloaded: {
    wire: 'server_error',
    status: 503,
    meaning: 'The server has more work than it can take at the moment. Nothing was done.',
    remedy: 'Send the request again after the time that the header Retry-After says.',
    retryAfter_s: 2,
  },
  server_error: {
    wire: 'server_error',
    status: 500,
    meaning: 'Something went wrong on our side.',
    remedy: 'Try again; if it stays, contact support and quote the trace id.',
  },
  unavailable: {
    wire: 'server_error',
    status: 503,
    meaning: 'Something that the request needs, such as the cloud of a region, cannot be reached at the moment.',
    remedy: 'Send the request again after the time that the header Retry-After says.',
    retryAfter_s: 10,
  },
  expired: {
    wire: 'invalid_request',
    status: 400,
    meaning: 'The continue token or watch position is older than the history that is kept.',
    remedy: 'List again from the start, then watch from the version the list names.',
  },
  invalid_object: {
    wire: 'server_error',
    status: 500,
    meaning: 'A service tried to store an object that breaks the rules of its kind.',
    remedy: 'This is a defect of the service: report it with the trace id.',
  },
  storage_full: {
    wire: 'server_error',
    status: 500,
    meaning: 'The disk under the state directory, or the configured size limit, is full; the change was not made.',
    remedy: 'Free space or raise the limit; nothing needs a restart.',
  },
  storage_unavailable: {
    wire: 'server_error',
    status: 500,
    meaning: 'The store cannot be read or written at the moment; the change was not made.',
    remedy: 'Look at the log of the control plane for the state of its disk.',
  },
  storage_unusable: {
    wire: 'server_error',
    status: 500,
    meaning:
      'The state cannot be opened: in use by another process, read-only, not ours, damaged, or of a newer release.',
    remedy: 'The message names the file and what is wrong with it; nothing was changed.',
  },
} as const satisfies Record<string, ProblemEntry>;

export type ProblemCode = keyof typeof problems;
