import { SpanStatusCode, type Span } from '@opentelemetry/api';

import { isProblem, toError } from '../errors/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { World } from '../world/index.ts';
import type { SagaRecord } from './kind.ts';
import { sagaMetrics } from './metrics.ts';

/** An event of one step of one saga. */
export interface SagaEvent {
  readonly saga: string;
  readonly sagaId: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly step: string;
  readonly happened: 'done' | 'failed' | 'undone' | 'undo failed';
  readonly error?: Error;
}

/** `left`: another process continues it. */
export type Outcome = 'done' | 'unwound' | 'left';

export type SagaListener = (event: SagaEvent) => void;

interface ReportOptions {
  readonly telemetry: Telemetry;
  readonly world: World;
  readonly onEvent?: SagaListener;
}

/** The message of a failed saga for users: the raw error goes to the log only. */
export function safeText(error: unknown): string {
  if (typeof error === 'string') return error;
  return isProblem(error) ? error.message : 'an unexpected error occurred';
}

/** Reports sagas to metrics, traces, event listeners and the log. */
export class SagaReport {
  readonly metrics;
  readonly #telemetry: Telemetry;
  readonly #world: World;
  readonly #onEvent: SagaListener;

  constructor({ telemetry, world, onEvent = () => undefined }: ReportOptions) {
    this.#telemetry = telemetry;
    this.#world = world;
    this.#onEvent = onEvent;
    this.metrics = sagaMetrics(telemetry.registry);
  }

  /** Reports one saga, for the time that this process runs it. */
  async saga({ metadata, spec }: SagaRecord, work: () => Promise<Outcome>): Promise<void> {
    await this.#span(`saga ${spec.saga}`, { 'saga.id': metadata.name }, async (span) => {
      const outcome = await work();
      span.setAttribute('saga.outcome', outcome);
      if (outcome !== 'done') span.setStatus({ code: SpanStatusCode.ERROR });
      this.metrics.finished.inc({ saga: spec.saga, outcome });
    });
  }

  /** Reports one step or undo. */
  async step<T>(record: SagaRecord, step: string, action: 'do' | 'undo', effect: () => Promise<T>): Promise<T> {
    const { saga } = record.spec;
    const began_ms = this.#world.monotonic_ms();
    const took = (outcome: 'ok' | 'error') => {
      this.metrics.step.observe({ saga, step, action, outcome }, (this.#world.monotonic_ms() - began_ms) / 1000);
    };
    try {
      const result = await this.#span(`${action} ${step}`, { 'saga.id': record.metadata.name }, effect);
      took('ok');
      this.#tell(record, step, action === 'do' ? 'done' : 'undone');
      return result;
    } catch (error) {
      took('error');
      this.#tell(record, step, action === 'do' ? 'failed' : 'undo failed', toError(error));
      throw error;
    }
  }

  warn({ metadata, spec }: SagaRecord, message: string, details: Readonly<Record<string, unknown>> = {}): void {
    this.#telemetry.log.warn({ saga: spec.saga, sagaId: metadata.name, ...details }, message);
  }

  error({ metadata, spec }: SagaRecord, message: string, details: Readonly<Record<string, unknown>>): void {
    this.#telemetry.log.error({ saga: spec.saga, sagaId: metadata.name, ...details }, message);
  }

  #tell({ metadata, spec }: SagaRecord, step: string, happened: SagaEvent['happened'], error?: Error): void {
    try {
      this.#onEvent({
        saga: spec.saga,
        sagaId: metadata.name,
        input: spec.input,
        step,
        happened,
        ...(error ? { error } : {}),
      });
    } catch (thrown) {
      this.#telemetry.log.error({ err: toError(thrown) }, 'a listener to saga events failed');
    }
  }

  #span<T>(name: string, attributes: Readonly<Record<string, string>>, work: (span: Span) => Promise<T>): Promise<T> {
    return this.#telemetry.tracer.startActiveSpan(name, { attributes }, async (span) => {
      try {
        return await work(span);
      } catch (error) {
        span.recordException(toError(error));
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    });
  }
}
