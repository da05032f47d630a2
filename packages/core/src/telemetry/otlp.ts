import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace';

/**
 * Sends finished spans to a collector, such as `http://collector:4318/v1/traces`. It has its own subpath because it
 * takes long to load.
 *
 * @example createTelemetry({ …, tracing: { samplingRatio: 1, processors: [otlpProcessor('http://collector:4318/v1/traces')] } });
 */
export function otlpProcessor(url: string): SpanProcessor {
  return new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) });
}
