import { AsyncLocalStorage } from 'node:async_hooks';

import type { FastifyInstance } from 'fastify';

import { Problem } from '@unikorn/core/errors';
import { standardRoutes, type Route, type Service } from '@unikorn/core/http';
import { isWrite, type Around } from '@unikorn/core/testing';

/** The target of a request, relative to the organization of the callers. */
export const situations = ['own project', 'sibling project', 'other organization', 'absent object'] as const;
export type Situation = (typeof situations)[number] | 'absent organization';

type Headers = Readonly<Record<string, string>>;

/** A running system for a walk. */
export interface AccessStage {
  readonly server: FastifyInstance;
  readonly services: readonly Service[];
  /** The credentials of each role. */
  readonly callers: Readonly<Record<string, Headers>>;
  /** The roles that must not learn anything about another organization. */
  readonly tenants: readonly string[];
  /** Texts that callers of the own organization must never receive: names that only the other organization uses. */
  readonly secrets: readonly string[];
  readonly guard: WriteGuard;
  /** The value of a path variable. */
  variable(name: string, situation: Situation): string;
  /** A valid body of an operation that has one. */
  body(operationId: string, situation: Situation): object;
}

/**
 * Prevents changes during a walk: if a handler gets as far as a write, the request counts as allowed, and the write
 * fails. Other work is not affected.
 */
export class WriteGuard {
  readonly #walk = new AsyncLocalStorage<{ reached: boolean }>();

  readonly around: Around = (call, happen) => {
    const step = this.#walk.getStore();
    if (!step || !isWrite(call)) return happen();
    step.reached = true;
    return Promise.reject(new Problem('storage_unavailable', 'a walk changes nothing'));
  };

  /** Runs one step of a walk, and returns whether it would have written something. */
  async watch<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly reached: boolean }> {
    const step = { reached: false };
    // Awaited inside, because some work only begins when it is awaited.
    const result = await this.#walk.run(step, async () => await work());
    return { result, reached: step.reached };
  }
}

export interface Declared {
  readonly service: Service;
  readonly route: Route;
}

export function routesOf(services: readonly Service[]): readonly Declared[] {
  return services.flatMap((service) =>
    [...standardRoutes(service), ...service.routes].map((route) => ({ service, route })),
  );
}

export interface Probe {
  readonly status: number;
  readonly text: string;
  /** `ok`, or the status of the refusal. */
  readonly outcome: string;
}

/** Calls an operation once, with a role and a situation. */
export async function probe(
  stage: AccessStage,
  { service, route }: Declared,
  headers: Headers,
  situation: Situation,
): Promise<Probe> {
  const variables = [...route.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const object = variables.findLast((name) => name.toLowerCase().endsWith('id'));
  const path = variables.reduce(
    (filled, name) => {
      // Only the last object in a path is the absent one; its parents exist.
      const named = situation === 'absent object' && name !== object ? 'own project' : situation;
      return filled.replace(`{${name}}`, encodeURIComponent(stage.variable(name, named)));
    },
    `${service.base ?? ''}${route.path}`,
  );
  const payload = route.body ? { payload: stage.body(route.operationId, situation) } : {};
  const { result, reached } = await stage.guard.watch(() =>
    stage.server.inject({ method: route.method, url: path, headers, ...payload }),
  );
  const { statusCode: status, body: text } = result;
  const outcome = reached || status < 300 ? 'ok' : String(status);
  return { status, text: anonymous(text, `${path} ${JSON.stringify(payload)}`), outcome };
}

/** A response without its individual parts: the trace id, and the ids in the request. */
function anonymous(text: string, request: string): string {
  const named = new Set(request.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []);
  return [...named]
    .reduce((shown, id) => shown.replaceAll(id, '<id>'), text)
    .replace(/"trace_id":"[0-9a-f]+"/, '"trace_id":""');
}
