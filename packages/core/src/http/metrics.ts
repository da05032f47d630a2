import { Counter, Gauge, Histogram } from 'prom-client';

import { perRegistry } from '../telemetry/index.ts';

export const httpMetrics = perRegistry((registry) => ({
  duration: new Histogram({
    name: 'unikorn_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  }),
  inFlight: new Gauge({
    name: 'unikorn_http_requests_in_flight',
    help: 'Requests being answered, open streams included',
    registers: [registry],
  }),
  streams: new Gauge({ name: 'unikorn_http_streams_open', help: 'Watch streams being served', registers: [registry] }),
  refused: new Counter({
    name: 'unikorn_http_requests_refused_total',
    help: 'Requests that were refused because their caller sends too many, or the server has too much to do',
    labelNames: ['reason'],
    registers: [registry],
  }),
  violations: new Counter({
    name: 'unikorn_http_response_contract_violations_total',
    help: 'Answers that do not match what their operation declares',
    labelNames: ['operation'],
    registers: [registry],
  }),
}));
