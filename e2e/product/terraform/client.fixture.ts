import type { WireAnswer } from '@unikorn/core/testing/contract';
import { systemWorld } from '@unikorn/core/world';

import { isObject, type Json } from '../../../packages/core/src/testing/json.ts';
import type { HttpRequest, ServiceName } from '../running.fixture.ts';

/** The provider block of a configuration. */
export interface Settings {
  readonly endpoints: Readonly<Record<ServiceName, string>>;
  readonly token: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly regionId: string;
}

/** The error that the provider shows its user when a request was refused. */
export class Refusal extends Error {
  readonly status: number;
  readonly description: string;

  constructor(called: string, status: number, { error, error_description: description, trace_id: trace }: Json) {
    super(`${called} was answered with ${status} ${String(error)}: ${String(description)} (trace ${String(trace)})`);
    this.status = status;
    this.description = String(description);
  }
}

const attempts = 5;
const shortestWait_s = 1;

/**
 * Calls the services as the provider does: one token for all of them, a few retries when the server asks for it, none
 * otherwise.
 */
export class Client {
  readonly settings: Settings;
  readonly #send: (url: string, request: HttpRequest) => Promise<WireAnswer>;

  constructor(settings: Settings, send: (url: string, request: HttpRequest) => Promise<WireAnswer>) {
    this.settings = settings;
    this.#send = send;
  }

  /** The decoded body; undefined if there is none. */
  async call(
    service: ServiceName,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    payload?: object,
  ): Promise<Json | undefined> {
    const answer = await this.#patiently(`${this.settings.endpoints[service]}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.settings.token}`,
        'user-agent': 'Terraform/1.12 terraform-provider-nscale/1.4.0',
      },
      ...(payload ? { payload } : {}),
    });
    const body = decoded(answer.body);
    if (answer.statusCode >= 300) throw new Refusal(`${method} ${path}`, answer.statusCode, isObject(body) ? body : {});
    return isObject(body) ? body : undefined;
  }

  async list(service: ServiceName, path: string): Promise<readonly Json[]> {
    const { statusCode, body } = await this.#patiently(`${this.settings.endpoints[service]}${path}`, {
      method: 'GET',
      headers: { authorization: `Bearer ${this.settings.token}` },
    });
    const items = decoded(body);
    if (statusCode >= 300 || !Array.isArray(items))
      throw new Refusal(`GET ${path}`, statusCode, isObject(items) ? items : {});
    return items.filter(isObject);
  }

  async #patiently(url: string, request: HttpRequest): Promise<WireAnswer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#send(url, request);
      if (answer.statusCode !== 429 || attempt === attempts) return answer;
      await systemWorld.sleep(Number(answer.headers['retry-after'] ?? shortestWait_s) * 1000);
    }
  }
}

/** An error that is not JSON is still handled by its status. */
function decoded(text: string): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
