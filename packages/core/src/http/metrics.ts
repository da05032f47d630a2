import { Counter, Gauge, Histogram } from 'prom-client';

import { perRegistry } from '../telemetry/index.ts';

export const httpMetrics = perRegistry((registry) => ({
  duration: new Histogram({
    name: 'unikorn_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  }),
  inFlight: new Gauge({
    name: 'unikorn_http_requests_in_flight',
    help: 'Requests in progress, including open streams',
    registers: [registry],
  }),
  streams: new Gauge({ name: 'unikorn_http_streams_open', help: 'Open watch streams', registers: [registry] }),
  refused: new Counter({
    name: 'unikorn_http_requests_refused_total',
    help: 'Requests refused because the caller sends too many, or because the server is overloaded',
    labelNames: ['reason'],
    registers: [registry],
  }),
  violations: new Counter({
    name: 'unikorn_http_response_contract_violations_total',
    help: 'Responses that do not match the schema of their operation',
    labelNames: ['operation'],
    registers: [registry],
  }),
}));
