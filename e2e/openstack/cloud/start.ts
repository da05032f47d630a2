import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { accessTo, administrator, regionUser } from './access.ts';
import { logIn } from './caller.ts';
import { furnishCloud, furnishIdentity } from './furnish.ts';
import { answers } from './http.ts';
import { listens, ready, running, runToEnd, start, type Environment } from './processes.ts';
import type { Progress } from './progress.ts';
import { databaseUrl, writeSettings } from './settings.ts';
import { extras, host, hypervisor, makeFolders, openstackRegion, password, type Site } from './site.ts';

const python = join(import.meta.dirname, 'python');

const databases = [
  'keystone',
  'glance',
  'placement',
  'neutron',
  'nova',
  'nova_api',
  'nova_cell0',
  'octavia',
  ...extras,
];

/** Starts a fresh cloud. What the folder held of an earlier one is lost: its hypervisor would not know its servers. */
export async function startCloud(site: Site, progress: Progress): Promise<void> {
  await assertFree(site);
  for (const folder of ['database', 'queue', 'ovn', 'keystone', 'glance', 'nova', 'neutron', 'octavia', 'run', 'etc'])
    await rm(site.path(folder), { recursive: true, force: true });
  await makeFolders(site);
  await writeSettings(site);
  const cloud = new Start(site, progress);
  await cloud.foundations();
  await cloud.services();
  await writeAccess(site);
}

async function assertFree(site: Site): Promise<void> {
  const [process] = await running(site);
  if (process)
    throw new Error(`A cloud of ${site.folder} still runs: ${process.name} has the pid ${process.pid}. Stop it first.`);
  for (const port of Object.values(site.ports))
    if (await listens(port)) throw new Error(`The port ${port} is in use. Choose others with --port.`);
}

/** The order in which things start. The steps that cost a processor run side by side. */
class Start {
  readonly #site: Site;
  readonly #progress: Progress;

  constructor(site: Site, progress: Progress) {
    this.#site = site;
    this.#progress = progress;
  }

  async foundations(): Promise<void> {
    const { path, ports } = this.#site;
    await this.#step('the database', () => this.#database());
    await start(this.#site, 'cache', [
      ...['memcached', '-l', host, '-p', String(ports.cache), '-U', '0', '-m', '128'],
      ...asRoot('-u', 'root'),
    ]);
    await this.#queue();
    await this.#step('the network databases', () => this.#ovn());
    await start(this.#site, 'chassis', [
      ...['/usr/bin/python3', join(python, 'ovn_chassis.py')],
      ...[`tcp:${host}:${ports.southbound}`, path('nova', 'instances'), hypervisor],
    ]);
  }

  async services(): Promise<void> {
    const schemas = {
      nova: this.#novaSchema(),
      neutron: this.#schema(
        'neutron-schema',
        'neutron.db.migration.cli:main',
        'neutron-db-manage',
        'neutron.conf',
        'upgrade',
        'heads',
      ),
    };
    // A failure is reported where the schema is needed; until then it must not end the process.
    for (const schema of Object.values(schemas)) schema.catch(() => undefined);
    await this.#step('keystone', () => this.#keystone());
    await this.#step('accounts and catalogue', () => furnishIdentity(this.#site));
    await ready(this.#site, 'queue', () => listens(this.#site.ports.queue));
    await this.#step('placement', () => this.#placement());
    await this.#step('glance', () => this.#glance());
    await this.#step('neutron', () => this.#neutron(schemas.neutron));
    const octavia = this.#octaviaSchema();
    octavia.catch(() => undefined);
    await this.#step('nova', () => this.#nova(schemas.nova));
    await this.#step('flavors, images and the external network', () => furnishCloud(this.#site));
    await this.#step('octavia', () => this.#octavia(octavia));
    if (this.#site.extras.has('cinder')) await this.#step('cinder', () => this.#cinder());
    if (this.#site.extras.has('ironic')) await this.#step('ironic', () => this.#ironic());
    await this.#step('the hypervisor', () => this.#hypervisorKnown());
  }

  async #step(name: string, work: () => Promise<void>): Promise<void> {
    this.#progress.doing(name);
    await work();
    this.#progress.done(name);
  }

  async #database(): Promise<void> {
    const { path, ports } = this.#site;
    const common = ['--no-defaults', `--datadir=${path('database')}`, ...asRoot('--user=root')];
    await runToEnd(this.#site, 'database-install', [
      ...['mariadb-install-db', ...common],
      ...['--auth-root-authentication-method=normal', '--skip-test-db'],
    ]);
    await start(this.#site, 'database', [
      ...['mariadbd', ...common, `--socket=${path('run', 'database.sock')}`],
      ...[`--pid-file=${path('run', 'database.pid')}`, `--bind-address=${host}`, `--port=${ports.database}`],
      ...['--skip-name-resolve', '--skip-log-bin', '--performance-schema=OFF', '--innodb-flush-log-at-trx-commit=0'],
      ...['--innodb-doublewrite=0', '--innodb-buffer-pool-size=256M', '--innodb-log-file-size=64M'],
      ...['--max-connections=1000', '--character-set-server=utf8mb3'],
    ]);
    await ready(this.#site, 'database', () => this.#query('select 1'));
    const statements = [
      `create user openstack@'${host}' identified by '${password}'`,
      `grant all on *.* to openstack@'${host}'`,
      ...databases.map((name) => `create database ${name} character set utf8mb3`),
    ];
    if (!(await this.#query(statements.join('; ')))) throw new Error('the databases cannot be made');
  }

  /** Whether a statement succeeded. */
  #query(statement: string): Promise<boolean> {
    const socket = this.#site.path('run', 'database.sock');
    return runToEnd(this.#site, 'database-client', [
      ...['mariadb', '--no-defaults', '-u', 'root', '-S', socket, '-e', statement],
    ]).then(
      () => true,
      () => false,
    );
  }

  async #queue(): Promise<void> {
    const { path, ports } = this.#site;
    // Erlang would start a name server of its own otherwise, on all addresses, and leave it running.
    await start(this.#site, 'queue-names', [
      ...['epmd', '-port', String(ports.queueNames), '-address', host, '-relaxed_command_check'],
    ]);
    await start(this.#site, 'queue', ['/usr/lib/rabbitmq/bin/rabbitmq-server'], {
      ERL_EPMD_ADDRESS: host,
      ERL_EPMD_PORT: String(ports.queueNames),
      RABBITMQ_NODENAME: 'unikorn@localhost',
      RABBITMQ_DIST_PORT: String(ports.queueNodes),
      RABBITMQ_CONFIG_FILE: path('queue', 'rabbitmq.conf'),
      RABBITMQ_MNESIA_BASE: path('queue', 'mnesia'),
      RABBITMQ_LOG_BASE: path('queue', 'log'),
      RABBITMQ_PID_FILE: path('run', 'queue.pid'),
      RABBITMQ_ENABLED_PLUGINS_FILE: path('queue', 'plugins'),
      RABBITMQ_FEATURE_FLAGS_FILE: path('queue', 'feature-flags'),
      RABBITMQ_GENERATED_CONFIG_DIR: path('queue', 'config'),
      RABBITMQ_CONF_ENV_FILE: '/dev/null',
      // Threads that wait must not take processor time from the tests.
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS:
        '-kernel inet_dist_use_interface {127,0,0,1} +sbwt none +sbwtdcpu none +sbwtdio none',
    });
  }

  async #ovn(): Promise<void> {
    const { path, ports } = this.#site;
    const sides = [
      { name: 'northbound', file: 'nb', tool: 'ovn-nbctl', root: 'OVN_Northbound,NB_Global' },
      { name: 'southbound', file: 'sb', tool: 'ovn-sbctl', root: 'OVN_Southbound,SB_Global' },
    ] as const;
    // Two servers: Neutron does not start with one that has both databases.
    for (const { name, file, tool, root } of sides) {
      const socket = path('run', `${file}.sock`);
      const schema = `/usr/share/ovn/ovn-${file}.ovsschema`;
      await runToEnd(this.#site, `${name}-setup`, ['ovsdb-tool', 'create', path('ovn', `${file}.db`), schema]);
      await start(this.#site, name, [
        ...['ovsdb-server', '-vconsole:warn', `--unixctl=${path('run', `${file}.ctl`)}`],
        ...[`--remote=punix:${socket}`, `--remote=db:${root},connections`, path('ovn', `${file}.db`)],
      ]);
      await ready(this.#site, name, () => Promise.resolve(existsSync(socket)));
      // Without a probe: a busy client must not be disconnected.
      await runToEnd(this.#site, `${name}-setup`, [
        ...[tool, `--db=unix:${socket}`, 'init', '--', '--inactivity-probe=0'],
        ...['set-connection', `ptcp:${ports[name]}:${host}`],
      ]);
    }
    await start(this.#site, 'northd', [
      ...['ovn-northd', '-vconsole:warn', `--unixctl=${path('run', 'northd.ctl')}`],
      ...[`--ovnnb-db=unix:${path('run', 'nb.sock')}`, `--ovnsb-db=unix:${path('run', 'sb.sock')}`],
    ]);
  }

  async #keystone(): Promise<void> {
    const { path, ports, url } = this.#site;
    const manage = (...args: readonly string[]) =>
      runToEnd(this.#site, 'keystone-setup', [
        'keystone-manage',
        '--config-file',
        path('etc', 'keystone.conf'),
        ...args,
      ]);
    const owner = await fileOwner();
    await manage('db_sync');
    await manage('fernet_setup', ...owner);
    await manage('credential_setup', ...owner);
    await manage(
      ...['bootstrap', '--bootstrap-password', password, '--bootstrap-region-id', openstackRegion],
      ...['admin', 'internal', 'public'].map((side) => `--bootstrap-${side}-url=${url('keystone', '/v3')}`),
    );
    await this.#wsgi('keystone', ports.keystone, '/usr/bin/keystone-wsgi-public', 2, {
      OS_KEYSTONE_CONFIG_DIR: path('etc'),
      OS_KEYSTONE_CONFIG_FILES: 'keystone.conf',
    });
    await ready(this.#site, 'keystone', () => answers(url('keystone', '/v3')));
  }

  async #placement(): Promise<void> {
    await this.#wsgi('placement', this.#site.ports.placement, '/usr/bin/placement-api', 1, {
      OS_PLACEMENT_CONFIG_DIR: this.#site.path('etc', 'placement'),
    });
    await ready(this.#site, 'placement', () => answers(this.#site.url('placement', '/')));
  }

  async #glance(): Promise<void> {
    await this.#schema('glance-schema', 'glance.cmd.manage:main', 'glance-manage', 'glance.conf', 'db_sync');
    await this.#service('glance', 'glance.cmd.api:main', 'glance-api', 'glance.conf');
    await ready(this.#site, 'glance', () => answers(this.#site.url('glance', '/')));
  }

  async #neutron(schema: Promise<void>): Promise<void> {
    await schema;
    await this.#service('neutron', 'neutron.cmd.eventlet.server:main', 'neutron-server', 'neutron.conf');
    await ready(this.#site, 'neutron', () => answers(this.#site.url('neutron', '/')));
  }

  async #novaSchema(): Promise<void> {
    const manage = (...args: readonly string[]) =>
      this.#schema('nova-schema', 'nova.cmd.manage:main', 'nova-manage', 'nova.conf', ...args);
    await manage('api_db', 'sync');
    await manage('cell_v2', 'map_cell0', '--database_connection', databaseUrl(this.#site, 'nova_cell0'));
    await manage('cell_v2', 'create_cell', '--name', 'cell1');
    await manage('db', 'sync');
  }

  async #nova(schema: Promise<void>): Promise<void> {
    const { path, url } = this.#site;
    await schema;
    await this.#service('nova-conductor', 'nova.cmd.conductor:main', 'nova-conductor', 'nova.conf');
    await this.#service('nova-scheduler', 'nova.cmd.scheduler:main', 'nova-scheduler', 'nova.conf');
    await this.#service('nova-compute', 'nova.cmd.compute:main', 'nova-compute', 'nova.conf');
    await start(this.#site, 'nova-consoles', [
      ...[...launcher('nova.cmd.novncproxy:main', 'nova-novncproxy'), '--config-file', path('etc', 'nova.conf')],
      ...['--web', '/usr/share/novnc'],
    ]);
    await this.#service('nova-api', 'nova.cmd.api_os_compute:main', 'nova-api-os-compute', 'nova.conf');
    await ready(this.#site, 'nova-api', () => answers(url('nova', '/')));
  }

  async #octaviaSchema(): Promise<void> {
    const { path } = this.#site;
    await runToEnd(this.#site, 'octavia-schema', [
      ...['nice', '-n', '10', 'octavia-db-manage', '--config-file', path('etc', 'octavia.conf'), 'upgrade', 'head'],
    ]);
    await runToEnd(this.#site, 'octavia-authority', [
      ...['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-days', '3650', '-subj', '/CN=octavia'],
      ...['-passout', `pass:${password}`],
      ...['-keyout', path('octavia', 'authority.key'), '-out', path('octavia', 'authority.pem')],
    ]);
  }

  async #octavia(schema: Promise<void>): Promise<void> {
    const { path, ports, url } = this.#site;
    await schema;
    const files = ['octavia.conf', 'octavia-amphorae.conf'].flatMap((name) => ['--config-file', path('etc', name)]);
    const environment = { OCTAVIA_SOCKETS: path('octavia') };
    const service = (name: string, target: string) =>
      start(this.#site, name, [...launcher(target, name), ...files], environment);
    await service('octavia-driver-agent', 'octavia.cmd.driver_agent:main');
    await ready(this.#site, 'octavia-driver-agent', () => Promise.resolve(existsSync(path('octavia', 'status.sock'))));
    await service('octavia-worker', 'octavia.cmd.octavia_worker:main');
    await this.#wsgi('octavia-api', ports.octavia, join(python, 'octavia_wsgi.py'), 1, environment, [
      ...['--pyargv', files.join(' ')],
    ]);
    await ready(this.#site, 'octavia-api', () => answers(url('octavia', '/')));
  }

  async #cinder(): Promise<void> {
    await this.#schema('cinder-schema', 'cinder.cmd.manage:main', 'cinder-manage', 'cinder.conf', 'db', 'sync');
    await this.#service('cinder', 'cinder.cmd.api:main', 'cinder-api', 'cinder.conf');
    await ready(this.#site, 'cinder', () => answers(this.#site.url('cinder', '/')));
  }

  async #ironic(): Promise<void> {
    await this.#schema('ironic-schema', 'ironic.cmd.dbsync:main', 'ironic-dbsync', 'ironic.conf', 'create_schema');
    await this.#service('ironic', 'ironic.cmd.singleprocess:main', 'ironic', 'ironic.conf');
    await ready(this.#site, 'ironic', () => answers(this.#site.url('ironic', '/')));
  }

  /** The scheduler knows a hypervisor only some seconds after it has started. */
  async #hypervisorKnown(): Promise<void> {
    const call = await logIn(accessTo(this.#site), administrator);
    await ready(this.#site, 'nova-compute', async () => {
      const { hypervisors } = await call('compute', 'GET', '/os-hypervisors');
      return hypervisors.length > 0;
    });
  }

  /** Makes a schema. It leaves the processors to Keystone, which the rest of the start goes through. */
  #schema(name: string, target: string, program: string, settings: string, ...args: readonly string[]): Promise<void> {
    const command = [...launcher(target, program), '--config-file', this.#site.path('etc', settings), ...args];
    return runToEnd(this.#site, name, ['nice', '-n', '10', ...command]);
  }

  #service(name: string, target: string, program: string, settings: string): Promise<void> {
    return start(this.#site, name, [
      ...[...launcher(target, program), '--config-file', this.#site.path('etc', settings)],
    ]);
  }

  #wsgi(
    name: string,
    port: number,
    file: string,
    processes: number,
    environment: Environment,
    args: readonly string[] = [],
  ): Promise<void> {
    return start(
      this.#site,
      name,
      [
        ...['uwsgi-core', '--plugin', 'python3', '--http-socket', `${host}:${port}`, '--wsgi-file', file],
        ...['--master', '--processes', String(processes), '--threads', '1', '--enable-threads', '--lazy-apps'],
        ...['--need-app', '--die-on-term', '--buffer-size', '65535', '--thunder-lock', '--disable-logging'],
        ...['--add-header', 'Connection: close', ...args],
      ],
      environment,
    );
  }
}

function launcher(target: string, name: string): readonly string[] {
  return ['/usr/bin/python3', join(python, 'launch.py'), target, name];
}

/** Arguments that programs want which do not run as root by themselves. */
function asRoot(...args: readonly string[]): readonly string[] {
  return process.getuid?.() === 0 ? args : [];
}

async function fileOwner(): Promise<readonly string[]> {
  const { userInfo } = await import('node:os');
  const { username } = userInfo();
  return ['--keystone-user', username, '--keystone-group', username];
}

/** How to reach the cloud: for tests as JSON, for people as files that a shell can read. */
async function writeAccess(site: Site): Promise<void> {
  const access = accessTo(site);
  await writeFile(site.path('cloud.json'), `${JSON.stringify(access, undefined, 2)}\n`);
  const openrc = (user: string, domain: string, project: string) =>
    [
      `export OS_AUTH_URL=${access.authUrl} OS_IDENTITY_API_VERSION=3 OS_REGION_NAME=${access.region} OS_INTERFACE=public`,
      `export OS_USERNAME=${user} OS_PASSWORD=${access.password} OS_USER_DOMAIN_NAME=${domain}`,
      `export OS_PROJECT_NAME=${project} OS_PROJECT_DOMAIN_NAME=${domain}`,
      '',
    ].join('\n');
  await writeFile(site.path('openrc'), openrc('admin', 'Default', 'admin'));
  await writeFile(site.path('openrc-unikorn'), openrc(regionUser.user, regionUser.domain, regionUser.project));
}
