/** An HTTP request to another service. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface IncomingResponse {
  readonly status: number;
  readonly body: string;
}

/** Carries requests; fails only when there is no answer at all. */
export type Transport = (request: OutgoingRequest) => Promise<IncomingResponse>;
