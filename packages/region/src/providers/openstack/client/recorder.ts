import { Counter, Histogram } from 'prom-client';

import { perRegistry, type Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';

import { requestIdIn, type CallLabel, type CloudError } from './failures.ts';
import { NoAnswer, type HttpReply } from './http.ts';

/** One attempt of a call, for those who keep a history. */
export interface CallRecord extends CallLabel {
  /** The status of the answer, or why there was none. */
  readonly outcome: number | NoAnswer['silence'];
  readonly duration_ms: number;
  /** The number of the call in the logs of the cloud. */
  readonly requestId?: string;
}

/** Tells log, trace, metrics and listeners of each attempt. */
export interface Recorder {
  /** Writes the words of the cloud to the log, where operators look for them. Users never see them. */
  refused(error: CloudError): void;
  /** `work` is given the headers by which the cloud logs the call under our trace. */
  attempt(
    call: CallLabel,
    work: (headers: Readonly<Record<string, string>>) => Promise<HttpReply | NoAnswer>,
  ): Promise<HttpReply | NoAnswer>;
}

const callMetrics = perRegistry((registry) => ({
  duration: new Histogram({
    name: 'unikorn_region_openstack_call_seconds',
    help: 'Duration of the calls of an OpenStack cloud, by service, method and outcome',
    labelNames: ['service', 'method', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  }),
  failures: new Counter({
    name: 'unikorn_region_openstack_call_failures_total',
    help: 'Calls of an OpenStack cloud that had no answer, or an answer of 500 and above',
    labelNames: ['service', 'outcome'],
    registers: [registry],
  }),
}));

export function recorderFor(
  { log, tracer, registry }: Telemetry,
  world: World,
  onCall: (record: CallRecord) => void = () => undefined,
): Recorder {
  const metrics = callMetrics(registry);
  return {
    refused: ({ service, method, path, status, requestId, message }) => {
      log.info({ service, method, path, status, requestId, words: message }, 'the cloud refused a call');
    },
    attempt: (call, work) =>
      tracer.startActiveSpan(`openstack ${call.service} ${call.method}`, async (span) => {
        const start_ms = world.monotonic_ms();
        try {
          const result = await work(traceOf(span.spanContext().traceId));
          const record = recordOf(call, result, world.monotonic_ms() - start_ms);
          const { service, method, path, outcome, duration_ms, requestId } = record;
          span.setAttributes({
            'openstack.service': service,
            'url.path': path,
            'openstack.outcome': outcome,
            ...(requestId === undefined ? {} : { 'openstack.request_id': requestId }),
          });
          const isFailure = typeof outcome === 'string' || outcome >= 500;
          if (isFailure) metrics.failures.inc({ service, outcome });
          metrics.duration.observe({ service, method, outcome }, duration_ms / 1000);
          log[isFailure ? 'warn' : 'debug']({ service, method, path, outcome, duration_ms, requestId }, 'cloud call');
          onCall(record);
          return result;
        } finally {
          span.end();
        }
      }),
  };
}

/**
 * OpenStack logs the number of the caller beside its own ones, and passes it on between its services. So the trace id
 * that a user quotes finds all that the cloud did for it.
 */
function traceOf(traceId: string): Readonly<Record<string, string>> {
  const [, ...groups] =
    /^(?!0{32})([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(traceId) ?? [];
  return groups.length === 0 ? {} : { 'x-openstack-request-id': `req-${groups.join('-')}` };
}

function recordOf(
  { service, method, path, doing }: CallLabel,
  result: HttpReply | NoAnswer,
  duration_ms: number,
): CallRecord {
  const label = { service, method, path, doing, duration_ms };
  if (result instanceof NoAnswer) return { ...label, outcome: result.silence };
  const requestId = requestIdIn(result.headers);
  return { ...label, outcome: result.status, ...(requestId === undefined ? {} : { requestId }) };
}
