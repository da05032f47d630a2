import type { Static } from 'typebox';

/** A setting: the allowed values as JSON Schema, and its documentation. */
export interface Declaration {
  readonly [keyword: string]: unknown;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  readonly description: string;
  /** The allowed values, in words. */
  readonly allowed: string;
  readonly environment: string;
  readonly flag?: string;
  readonly default?: unknown;
  /** The key that earlier versions used in the file. It is still read, unless the file also has the present key. */
  readonly formerKey?: string;
  /** The behaviour without a value, if there is no default. */
  readonly absent?: string;
}

interface Group {
  readonly type: 'object';
  readonly description: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Declaration>>;
}

interface Groups {
  readonly type: 'object';
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Group>>;
}

/** An address or a CIDR block, of IPv4 or IPv6. */
const block =
  '^(((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.|(?=/|$))){4}(/([12]?\\d|3[0-2]))?|(?=.*:)[0-9A-Fa-f]{0,4}(:[0-9A-Fa-f]{0,4}){2,7}(/(\\d|[1-9]\\d|1[01]\\d|12[0-8]))?)$';
/** Without user name and password, which would be a secret. */
const url = '^https?://[^\\s?#@]+$';
/** Calls between services use mutual TLS. */
const secureUrl = '^https://[^\\s?#@]+$';
/** The address of an application: over https, or on this machine. */
const redirect = '^(https://[^\\s#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])([:/?][^\\s#@]*)?)$';
const truth = 'true or false';

/**
 * Every setting of an operator, declared once as data (a JSON Schema). The file, the environment, the flags of `serve`,
 * the validation and the reference page are derived from it. It imports nothing, because every command declares its
 * flags from it.
 */
export const Configuration = {
  type: 'object',
  required: [
    'server',
    'services',
    'state',
    'store',
    'demo',
    'identity',
    'region',
    'compute',
    'history',
    'monitor',
    'traffic',
    'objects',
    'log',
    'metrics',
    'tracing',
  ],
  properties: {
    server: {
      type: 'object',
      description: 'Addresses of the server',
      required: ['port', 'host', 'trustedProxies'],
      properties: {
        port: {
          type: 'integer',
          minimum: 0,
          maximum: 65535,
          default: 8080,
          allowed: 'a whole number from 0 (any free port) to 65535',
          flag: '--port <number>',
          environment: 'UNIKORN_PORT',
          description: 'port to listen on',
        },
        host: {
          type: 'string',
          minLength: 1,
          default: '127.0.0.1',
          allowed: 'an address or a host name',
          flag: '--host <address>',
          environment: 'UNIKORN_HOST',
          description: 'address to listen on',
        },
        publicUrl: {
          type: 'string',
          pattern: url,
          absent: 'the address it listens on',
          allowed: 'a URL like https://cloud.example.com',
          flag: '--public-url <url>',
          environment: 'UNIKORN_PUBLIC_URL',
          description: 'address at which clients reach the server; part of the tokens that it issues',
        },
        trustedProxies: {
          type: 'array',
          default: [],
          allowed: 'a list of addresses or blocks like 10.0.0.0/8',
          items: { type: 'string', pattern: block },
          environment: 'UNIKORN_TRUSTED_PROXIES',
          description:
            'reverse proxies in front of the server; X-Forwarded-For is used only if it comes from one of them',
        },
      },
    },
    services: {
      type: 'object',
      description: 'The parts that this process runs, and its connections to services in other processes',
      required: [],
      properties: {
        parts: {
          type: 'array',
          minItems: 1,
          absent: 'all parts',
          allowed: 'a list of parts like region/api, or of services like region, with at least one of them',
          items: { type: 'string', minLength: 1 },
          flag: '--only <part...>',
          environment: 'UNIKORN_ONLY',
          description: 'parts that this process runs; the other parts run in other processes',
        },
        identityUrl: {
          type: 'string',
          pattern: secureUrl,
          absent: 'identity runs in this process',
          allowed: 'a URL like https://identity.unikorn.svc:8443/identity',
          flag: '--identity-url <url>',
          environment: 'UNIKORN_IDENTITY_URL',
          description: 'address at which identity accepts calls of other services',
        },
        regionUrl: {
          type: 'string',
          pattern: secureUrl,
          absent: 'region runs in this process',
          allowed: 'a URL like https://region.unikorn.svc:8443/region',
          flag: '--region-url <url>',
          environment: 'UNIKORN_REGION_URL',
          description: 'address at which region accepts calls of other services',
        },
        port: {
          type: 'integer',
          minimum: 1,
          maximum: 65535,
          absent: 'no calls of services in other processes are accepted',
          allowed: 'a whole number from 1 to 65535',
          flag: '--services-port <number>',
          environment: 'UNIKORN_SERVICES_PORT',
          description: 'port for calls of other services, with mutual TLS, on the same address as server.port',
        },
        certificates: {
          type: 'string',
          minLength: 1,
          absent: 'no mutual TLS',
          allowed: 'the path of a folder with tls.crt, tls.key and ca.crt',
          flag: '--certificates <directory>',
          environment: 'UNIKORN_CERTIFICATES',
          description:
            'certificate and key of this service, and the authority of all services; changed files are read again while the server runs',
        },
      },
    },
    state: {
      type: 'object',
      description: 'Storage of the state',
      required: ['directory', 'ephemeral'],
      properties: {
        directory: {
          type: 'string',
          minLength: 1,
          default: '.unikorn',
          allowed: 'the path of a directory',
          flag: '--state <directory>',
          environment: 'UNIKORN_STATE',
          description: 'directory of the state, relative to the current folder',
        },
        ephemeral: {
          type: 'boolean',
          default: false,
          allowed: truth,
          flag: '--ephemeral',
          environment: 'UNIKORN_EPHEMERAL',
          description: 'keep the state in a temporary directory, which is deleted when the server stops',
        },
      },
    },
    store: {
      type: 'object',
      description: 'The engine of the store',
      required: ['type'],
      properties: {
        type: {
          type: 'string',
          enum: ['sqlite', 'kubernetes'],
          default: 'sqlite',
          allowed: 'sqlite (a file in the state directory) or kubernetes (custom resources)',
          flag: '--store <type>',
          environment: 'UNIKORN_STORE',
          description:
            'where objects are stored; several processes can share kubernetes, and only one process can use sqlite',
        },
        namespace: {
          type: 'string',
          pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$',
          absent: 'the namespace of the service account',
          allowed: 'the name of a namespace',
          flag: '--store-namespace <name>',
          environment: 'UNIKORN_STORE_NAMESPACE',
          description: 'namespace of the custom resources; each installation needs its own',
        },
        kubeconfig: {
          type: 'string',
          minLength: 1,
          absent: 'the service account of the pod',
          allowed: 'the path of a kubeconfig',
          flag: '--kubeconfig <file>',
          environment: 'UNIKORN_STORE_KUBECONFIG',
          description:
            'address and credentials of the Kubernetes API server; the kubeconfig must contain them as data, without commands or other files',
        },
        encryptionKeys: {
          type: 'string',
          minLength: 1,
          absent: 'the file encryption.key of the state directory, which the first start creates',
          allowed: 'the path of a file',
          flag: '--encryption-keys <file>',
          environment: 'UNIKORN_ENCRYPTION_KEYS',
          description:
            'file with the keys that encrypt secrets in the store, one per line, 32 bytes each in base64url; the first one encrypts, the others only decrypt',
        },
      },
    },
    demo: {
      type: 'object',
      description: 'Demo data',
      required: ['enabled'],
      properties: {
        enabled: {
          type: 'boolean',
          default: true,
          allowed: truth,
          flag: '--no-demo',
          environment: 'UNIKORN_DEMO',
          description: 'create demo data at the first start',
        },
      },
    },
    identity: {
      type: 'object',
      description: 'Users, applications and logins',
      required: ['administrator', 'globalRoles', 'providers', 'clients', 'serviceAccountTokenLifetime'],
      properties: {
        administrator: {
          type: 'string',
          pattern: '^[^\\s@]+@[^\\s@]+$',
          default: 'admin@example.com',
          allowed: 'a mail address',
          flag: '--administrator <email>',
          environment: 'UNIKORN_ADMINISTRATOR',
          description: 'mail address of the first administrator, who has all permissions',
        },
        globalRoles: {
          type: 'array',
          default: [],
          allowed: 'a list of subjects, each with roles (platform-administrator or platform-reader)',
          environment: 'UNIKORN_GLOBAL_ROLES',
          description:
            'users (by mail address) and service accounts (by id) with platform-wide roles, in addition to the first administrator; more can be granted with `unikorn globalrole`',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['subject', 'roles'],
            properties: {
              subject: { type: 'string', minLength: 1 },
              roles: { type: 'array', minItems: 1, items: { enum: ['platform-administrator', 'platform-reader'] } },
            },
          },
        },
        providers: {
          type: 'array',
          default: [],
          allowed:
            'a list of providers with name, issuer, clientID and optionally clientSecret and type (google, microsoft or github)',
          environment: 'UNIKORN_PROVIDERS',
          description: 'OpenID providers through which all users may log in, in addition to passwords',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['name', 'issuer', 'clientID'],
            properties: {
              name: { type: 'string', minLength: 1 },
              type: { enum: ['google', 'microsoft', 'github'] },
              issuer: { type: 'string', pattern: url },
              clientID: { type: 'string', minLength: 1 },
              clientSecret: { type: 'string', writeOnly: true },
            },
          },
        },
        clients: {
          type: 'array',
          default: [],
          allowed:
            'a list of applications with id, redirectUris and optionally name, secret, postLogoutRedirectUris, loginUri and native (true or false)',
          environment: 'UNIKORN_CLIENTS',
          description: 'applications that users may log in to, in addition to those registered while the server runs',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['id', 'redirectUris'],
            properties: {
              id: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$' },
              name: { type: 'string', minLength: 1, maxLength: 63 },
              secret: { type: 'string', minLength: 8, writeOnly: true },
              redirectUris: {
                type: 'array',
                minItems: 1,
                maxItems: 20,
                items: { type: 'string', pattern: redirect, maxLength: 1024 },
              },
              postLogoutRedirectUris: {
                type: 'array',
                maxItems: 20,
                items: { type: 'string', pattern: redirect, maxLength: 1024 },
              },
              loginUri: { type: 'string', pattern: redirect, maxLength: 1024 },
              native: { type: 'boolean' },
            },
          },
        },
        serviceAccountTokenLifetime: {
          type: 'integer',
          minimum: 1,
          default: 90,
          allowed: 'a whole number of days, at least 1',
          flag: '--service-account-token-lifetime <days>',
          environment: 'UNIKORN_SERVICE_ACCOUNT_TOKEN_LIFETIME',
          description: 'lifetime of a new token of a service account, in days',
        },
      },
    },
    region: {
      type: 'object',
      description: 'Creation of machines',
      required: ['serverCreateAttempts', 'providerCalls'],
      properties: {
        serverCreateAttempts: {
          type: 'integer',
          minimum: 1,
          default: 3,
          allowed: 'a whole number of at least 1',
          flag: '--server-create-attempts <number>',
          environment: 'UNIKORN_SERVER_CREATE_ATTEMPTS',
          description: 'number of attempts to create a machine',
        },
        providerCalls: {
          type: 'integer',
          minimum: 1,
          default: 64,
          allowed: 'a whole number of at least 1',
          flag: '--provider-calls <number>',
          environment: 'UNIKORN_PROVIDER_CALLS',
          description: 'maximum number of concurrent calls to the cloud of one region',
        },
      },
    },
    compute: {
      type: 'object',
      description: 'Management of instances',
      required: ['stuckAfter'],
      properties: {
        stuckAfter: {
          type: 'integer',
          minimum: 1,
          default: 30,
          allowed: 'a whole number of minutes, at least 1',
          flag: '--stuck-after <minutes>',
          environment: 'UNIKORN_STUCK_AFTER',
          description: 'time after which an instance that is not provisioned counts as stuck, in minutes',
        },
      },
    },
    history: {
      type: 'object',
      description: 'Histories of the resources of all services',
      required: ['retention'],
      properties: {
        retention: {
          type: 'integer',
          minimum: 1,
          default: 90,
          allowed: 'a whole number of days, at least 1',
          flag: '--history-retention <days>',
          environment: 'UNIKORN_HISTORY_RETENTION',
          formerKey: 'compute.historyRetention',
          description: 'how long the history of a resource is kept, also after the resource is deleted, in days',
        },
      },
    },
    monitor: {
      type: 'object',
      description: 'Monitoring of the real state of machines and instances',
      required: ['period', 'concurrency'],
      properties: {
        period: {
          type: 'integer',
          minimum: 1,
          default: 60,
          allowed: 'a whole number of seconds, at least 1',
          flag: '--monitor-period <seconds>',
          environment: 'UNIKORN_MONITOR_PERIOD',
          description: 'how often every machine and instance is checked, in seconds',
        },
        concurrency: {
          type: 'integer',
          minimum: 1,
          default: 8,
          allowed: 'a whole number of at least 1',
          flag: '--monitor-concurrency <number>',
          environment: 'UNIKORN_MONITOR_CONCURRENCY',
          description: 'maximum number of concurrent calls of the monitor to clouds',
        },
      },
    },
    traffic: {
      type: 'object',
      description:
        'Limits on requests of each caller and of all callers together. A request over a limit is answered with 429 or 503 and Retry-After',
      required: [
        'requestsPerSecond',
        'requests',
        'anonymousRequestsPerSecond',
        'anonymousRequests',
        'streams',
        'totalRequests',
        'totalStreams',
        'unread',
        'delay',
      ],
      properties: {
        requestsPerSecond: {
          type: 'integer',
          minimum: 1,
          default: 100,
          allowed: 'a whole number of at least 1',
          environment: 'UNIKORN_REQUESTS_PER_SECOND',
          description: 'requests per second of a user or service account; after a pause, three times as many at once',
        },
        requests: {
          type: 'integer',
          minimum: 1,
          default: 128,
          allowed: 'a whole number of at least 1',
          environment: 'UNIKORN_REQUESTS',
          description: 'concurrent requests of a user or service account',
        },
        anonymousRequestsPerSecond: {
          type: 'integer',
          minimum: 1,
          default: 100,
          allowed: 'a whole number of at least 1',
          environment: 'UNIKORN_ANONYMOUS_REQUESTS_PER_SECOND',
          description:
            'requests per second of a client address without a token, or with an invalid one; after a pause, three times as many at once',
        },
        anonymousRequests: {
          type: 'integer',
          minimum: 1,
          default: 64,
          allowed: 'a whole number of at least 1',
          environment: 'UNIKORN_ANONYMOUS_REQUESTS',
          description: 'concurrent requests of a client address without a token',
        },
        streams: {
          type: 'integer',
          minimum: 1,
          default: 32,
          allowed: 'a whole number of at least 1',
          environment: 'UNIKORN_STREAMS',
          description: 'open watch streams of a user or service account',
        },
        totalRequests: {
          type: 'integer',
          minimum: 1,
          default: 1_024,
          allowed: 'a whole number of at least 1',
          environment: 'UNIKORN_TOTAL_REQUESTS',
          description: 'concurrent requests of all callers together',
        },
        totalStreams: {
          type: 'integer',
          minimum: 1,
          default: 1_024,
          allowed: 'a whole number of at least 1',
          environment: 'UNIKORN_TOTAL_STREAMS',
          description: 'open watch streams of all callers together',
        },
        unread: {
          type: 'integer',
          minimum: 1,
          default: 30,
          allowed: 'a whole number of seconds, at least 1',
          environment: 'UNIKORN_UNREAD',
          description:
            'how long a client may leave part of a response unread before the connection is closed, in seconds',
        },
        delay: {
          type: 'integer',
          minimum: 1,
          default: 2_000,
          allowed: 'a whole number of milliseconds, at least 1',
          environment: 'UNIKORN_DELAY',
          description: 'event loop delay above which the server refuses requests, in milliseconds',
        },
        memory: {
          type: 'integer',
          minimum: 64,
          absent: '90 % of the memory of the container; without a container no limit',
          allowed: 'a whole number of MiB, at least 64',
          environment: 'UNIKORN_MEMORY',
          description: 'resident memory above which the server refuses requests, in MiB',
        },
      },
    },
    objects: {
      type: 'object',
      description:
        'Limits on the number of resources of kinds that have no quota. A request over a limit is answered with 403',
      required: [
        'projects',
        'groups',
        'users',
        'serviceAccounts',
        'oauth2Providers',
        'sshCertificateAuthorities',
        'securityGroups',
        'images',
      ],
      properties: {
        projects: {
          type: 'integer',
          minimum: 1,
          default: 1_000,
          allowed: 'a whole number of at least 1',
          environment: 'UNIKORN_MAX_PROJECTS',
          description: 'projects of an organization',
        },
        groups: {
          type: 'integer',
          minimum: 1,
          default: 1_000,
          allowed: 'a whole number of at least 1',
          environment: 'UNIKORN_MAX_GROUPS',
          description: 'groups of an organization',
        },
        users: {
          type: 'integer',
          minimum: 1,
          default: 10_000,
          allowed: 'a whole number of at least 1',
          environment: 'UNIKORN_MAX_USERS',
          description: 'users of an organization',
        },
        serviceAccounts: {
          type: 'integer',
          minimum: 1,
          default: 1_000,
          allowed: 'a whole number of at least 1',
          environment: 'UNIKORN_MAX_SERVICE_ACCOUNTS',
          description: 'service accounts of an organization',
        },
        oauth2Providers: {
          type: 'integer',
          minimum: 1,
          default: 32,
          allowed: 'a whole number of at least 1',
          environment: 'UNIKORN_MAX_LOGIN_PROVIDERS',
          description: 'login providers of an organization',
        },
        sshCertificateAuthorities: {
          type: 'integer',
          minimum: 1,
          default: 1_000,
          allowed: 'a whole number of at least 1',
          environment: 'UNIKORN_MAX_SSH_CERTIFICATE_AUTHORITIES',
          description: 'SSH certificate authorities of an organization',
        },
        securityGroups: {
          type: 'integer',
          minimum: 1,
          default: 256,
          allowed: 'a whole number of at least 1',
          environment: 'UNIKORN_MAX_SECURITY_GROUPS',
          description: 'security groups of a network',
        },
        images: {
          type: 'integer',
          minimum: 1,
          default: 256,
          allowed: 'a whole number of at least 1',
          environment: 'UNIKORN_MAX_IMAGES',
          description: 'images of an organization in one region',
        },
      },
    },
    log: {
      type: 'object',
      description: 'Log on stderr: text on a terminal, JSON lines otherwise',
      required: [],
      properties: {
        level: {
          type: 'string',
          enum: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
          absent: 'warn on a terminal, info otherwise',
          allowed: 'trace, debug, info, warn, error, fatal or silent',
          flag: '--log-level <level>',
          environment: 'UNIKORN_LOG_LEVEL',
          description: 'minimum severity that is logged',
        },
      },
    },
    metrics: {
      type: 'object',
      description: 'Metrics for Prometheus',
      required: [],
      properties: {
        port: {
          type: 'integer',
          minimum: 1,
          maximum: 65535,
          absent: 'the port of the API serves them',
          allowed: 'a whole number from 1 to 65535',
          flag: '--metrics-port <number>',
          environment: 'UNIKORN_METRICS_PORT',
          description:
            'port on which /metrics, /healthz and /readyz are served; the port of the API then has no /metrics',
        },
        host: {
          type: 'string',
          minLength: 1,
          absent: 'the address of server.host',
          allowed: 'an address or a host name',
          flag: '--metrics-host <address>',
          environment: 'UNIKORN_METRICS_HOST',
          description: 'address to listen on for metrics.port',
        },
        token: {
          type: 'string',
          minLength: 8,
          writeOnly: true,
          absent: 'no token is needed',
          allowed: 'a text of at least 8 characters',
          environment: 'UNIKORN_METRICS_TOKEN',
          description: 'bearer token that is needed to read /metrics',
        },
      },
    },
    tracing: {
      type: 'object',
      description: 'OpenTelemetry traces',
      required: ['samplingRatio'],
      properties: {
        endpoint: {
          type: 'string',
          pattern: url,
          absent: 'traces are not sent',
          allowed: 'a URL like http://127.0.0.1:4318/v1/traces',
          flag: '--otlp-endpoint <url>',
          environment: 'UNIKORN_OTLP_ENDPOINT',
          description: 'where traces are sent, as OTLP over HTTP',
        },
        samplingRatio: {
          type: 'number',
          minimum: 0,
          maximum: 1,
          default: 0,
          allowed: 'a number from 0 (never) to 1 (always)',
          flag: '--trace-sampling-ratio <ratio>',
          environment: 'UNIKORN_TRACE_SAMPLING_RATIO',
          description: 'share of requests that are traced',
        },
      },
    },
  },
} as const satisfies Groups;

/** A complete configuration. */
export type Configuration = Static<typeof Configuration>;
