import type { ReadinessChecks, Service } from '../http/index.ts';
import type { Part } from './part.ts';

/**
 * The service with a readiness check for each of its parts that run in this process. `/readyz` names those that are not
 * ready.
 *
 * @example createServer({ services: [withParts(region.service, region.parts)], store, world, telemetry });
 */
export function withParts<S extends Pick<Service, 'checks'>>(service: S, parts: readonly Part[]): S {
  const own: ReadinessChecks = Object.fromEntries(
    parts.map((part) => [shortName(part), () => Promise.resolve(part.ready)]),
  );
  return { ...service, checks: { ...service.checks, ...own } };
}

/** `server-controller` of `region/server-controller`: the path of the check already names the service. */
function shortName({ name }: Part): string {
  return name.slice(name.indexOf('/') + 1);
}
