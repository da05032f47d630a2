/** A panel of the dashboard: its title, unit, and one query for each line. */
interface Panel {
  readonly title: string;
  readonly description: string;
  readonly unit?: 'short' | 's' | 'reqps' | 'percentunit' | 'bytes';
  readonly type?: 'timeseries' | 'stat' | 'table';
  readonly queries: readonly (readonly [expression: string, legend: string])[];
}

interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** Adds the name of the region to a query that has its id. */
const withRegion = (expression: string) =>
  `${expression} * on (region_id) group_left (region_name) max by (region_id, region_name) (unikorn_region_info)`;

const rate = '[$__rate_interval]';

/** The rows of the dashboard, the most important first. */
const rows: readonly Row[] = [
  {
    title: 'At a glance',
    panels: [
      {
        title: 'Version',
        description: 'The versions that run now.',
        type: 'stat',
        queries: [['count by (version) (unikorn_build_info)', '{{version}}']],
      },
      {
        title: 'Instances running',
        description: 'Instances whose machine runs.',
        type: 'stat',
        queries: [['sum(unikorn_compute_instances{state="running"})', 'running']],
      },
      {
        title: 'Instances in error',
        description: 'Instances that cannot be provisioned.',
        type: 'stat',
        queries: [['sum(unikorn_compute_instances{state="error"}) or vector(0)', 'in error']],
      },
      {
        title: 'Failed requests',
        description: 'Share of requests that were answered with 500 or above.',
        type: 'stat',
        unit: 'percentunit',
        queries: [
          [
            `sum(rate(unikorn_http_request_duration_seconds_count{status=~"5.."}${rate})) / sum(rate(unikorn_http_request_duration_seconds_count${rate})) or vector(0)`,
            'failed',
          ],
        ],
      },
    ],
  },
  {
    title: 'Instances',
    panels: [
      {
        title: 'Instances by state',
        description: 'What users see, by power state; or how far an instance is, if it is not provisioned.',
        queries: [['sum by (state) (unikorn_compute_instances)', '{{state}}']],
      },
      {
        title: 'Instances by region',
        description: 'All instances of a region, in every state.',
        queries: [[withRegion('sum by (region_id) (unikorn_compute_instances)'), '{{region_name}}']],
      },
      {
        title: 'Findings of the monitor',
        description: 'Open problems, by checker. They should be zero.',
        queries: [['max by (checker) (unikorn_compute_monitor_findings) > 0', '{{checker}}']],
      },
      {
        title: 'Time until a machine runs, p95',
        description: 'From the creation of a server until it first ran.',
        unit: 's',
        queries: [
          [
            withRegion(
              `histogram_quantile(0.95, sum by (region_id, le) (rate(unikorn_region_server_provision_duration_seconds_bucket${rate})))`,
            ),
            '{{region_name}}',
          ],
        ],
      },
    ],
  },
  {
    title: 'Requests',
    panels: [
      {
        title: 'Requests by status',
        description: 'Requests per second.',
        unit: 'reqps',
        queries: [[`sum by (status) (rate(unikorn_http_request_duration_seconds_count${rate}))`, '{{status}}']],
      },
      {
        title: 'Duration, p50 and p99',
        description: 'Without streams, which last as long as their client wants.',
        unit: 's',
        queries: [
          [`histogram_quantile(0.5, sum by (le) (rate(unikorn_http_request_duration_seconds_bucket${rate})))`, 'p50'],
          [`histogram_quantile(0.99, sum by (le) (rate(unikorn_http_request_duration_seconds_bucket${rate})))`, 'p99'],
        ],
      },
      {
        title: 'Refused requests',
        description: 'Because a caller sends too many, or because the server is overloaded.',
        unit: 'reqps',
        queries: [[`sum by (reason) (rate(unikorn_http_requests_refused_total${rate}))`, '{{reason}}']],
      },
      {
        title: 'Open streams',
        description: 'Clients that follow changes.',
        queries: [['sum(unikorn_http_streams_open)', 'streams']],
      },
    ],
  },
  {
    title: 'Controllers and sagas',
    panels: [
      {
        title: 'Oldest object in the queue',
        description: 'Waiting time. It should be below a second.',
        unit: 's',
        queries: [['max by (controller) (unikorn_controller_oldest_queued_seconds)', '{{controller}}']],
      },
      {
        title: 'Objects that fail',
        description: 'Objects whose last attempt failed and that are retried.',
        queries: [['sum by (controller) (unikorn_controller_retrying) > 0', '{{controller}}']],
      },
      {
        title: 'Objects that wait for a change',
        description: 'Parked: they are not retried until somebody changes them.',
        queries: [['sum by (controller) (unikorn_controller_parked) > 0', '{{controller}}']],
      },
      {
        title: 'Stuck sagas',
        description: 'They need an operator.',
        queries: [['max by (saga) (unikorn_saga_stuck)', '{{saga}}']],
      },
    ],
  },
  {
    title: 'Clouds',
    panels: [
      {
        title: 'Clouds that do not answer',
        description: '1 while the provider of a region does not answer.',
        queries: [[withRegion('max by (region_id) (unikorn_region_monitor_provider_away)'), '{{region_name}}']],
      },
      {
        title: 'Missing and unknown machines',
        description: 'Machines that the cloud should show but does not, and machines that are not in the store.',
        queries: [
          ['sum by (region_id) (unikorn_region_monitor_missing)', 'missing {{region_id}}'],
          ['sum by (region_id) (unikorn_region_monitor_orphans)', 'unknown {{region_id}}'],
        ],
      },
      {
        title: 'Calls of OpenStack, p95',
        description: 'By service.',
        unit: 's',
        queries: [
          [
            `histogram_quantile(0.95, sum by (service, le) (rate(unikorn_region_openstack_call_seconds_bucket${rate})))`,
            '{{service}}',
          ],
        ],
      },
      {
        title: 'Failed calls of OpenStack',
        description: 'Calls without an answer, or with an answer of 500 and above.',
        unit: 'reqps',
        queries: [[`sum by (service) (rate(unikorn_region_openstack_call_failures_total${rate}))`, '{{service}}']],
      },
    ],
  },
  {
    title: 'Quotas',
    panels: [
      {
        title: 'Quotas closest to their limit',
        description: 'Share of the limit that is used.',
        type: 'table',
        unit: 'percentunit',
        queries: [
          [
            'topk(20, max by (organization_id, kind) (unikorn_quota_used) / max by (organization_id, kind) (unikorn_quota_limit))',
            '{{organization_id}} {{kind}}',
          ],
        ],
      },
    ],
  },
  {
    title: 'Processes',
    panels: [
      {
        title: 'Resident memory',
        description: 'Of each process.',
        unit: 'bytes',
        queries: [['process_resident_memory_bytes', '{{instance}}']],
      },
      {
        title: 'CPU',
        description: 'Seconds of CPU per second, of each process.',
        queries: [[`rate(process_cpu_seconds_total${rate})`, '{{instance}}']],
      },
      {
        title: 'Delay of the event loop, p99',
        description: 'Above two seconds the server refuses requests.',
        unit: 's',
        queries: [['nodejs_eventloop_lag_p99_seconds', '{{instance}}']],
      },
      {
        title: 'Time of a commit, p99',
        description: 'How long the disk takes. Only with the embedded store.',
        unit: 's',
        queries: [
          [`histogram_quantile(0.99, sum by (le) (rate(unikorn_store_commit_seconds_bucket${rate})))`, 'commit'],
        ],
      },
    ],
  },
];

const datasource = { type: 'prometheus', uid: '${datasource}' };
const width = 24;

/** The dashboard for Grafana, as it is imported. */
export function dashboard(): string {
  let id = 0;
  let y = 0;
  const panels = rows.flatMap(({ title, panels: own }) => {
    const heading = { id: ++id, type: 'row', title, collapsed: false, gridPos: { h: 1, w: width, x: 0, y } };
    const small = own.every(({ type }) => type === 'stat');
    const [h, w] = [small ? 4 : 8, own.length === 1 ? width : small ? width / own.length : width / 2];
    const placed = own.map((panel, index) => ({
      id: ++id,
      type: panel.type ?? 'timeseries',
      title: panel.title,
      description: panel.description,
      datasource,
      gridPos: { h, w, x: (index * w) % width, y: y + 1 + Math.floor((index * w) / width) * h },
      fieldConfig: { defaults: { unit: panel.unit ?? 'short' }, overrides: [] },
      targets: panel.queries.map(([expr, legendFormat], query) => ({
        refId: String.fromCodePoint(65 + query),
        datasource,
        expr,
        legendFormat,
        ...(panel.type === 'table' ? { format: 'table', instant: true } : {}),
      })),
    }));
    y += 1 + Math.ceil((own.length * w) / width) * h;
    return [heading, ...placed];
  });
  const whole = {
    uid: 'unikorn',
    title: 'Unikorn',
    tags: ['unikorn'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus', refresh: 1 }],
    },
    panels,
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}
