import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { policies } from './policies.ts';
import { host, hypervisor, openstackRegion, password, physicalNetwork, type Site } from './site.ts';

type Section = Readonly<Record<string, string | number | boolean>>;
type Settings = Readonly<Record<string, Section>>;

const pasteFolder = join(import.meta.dirname, 'paste');

/** Writes the configuration of every service. */
export async function writeSettings(site: Site): Promise<void> {
  const files: Readonly<Record<string, Settings>> = {
    'keystone.conf': keystone(site),
    'glance.conf': glance(site),
    'placement/placement.conf': placement(site),
    'neutron.conf': neutron(site),
    'nova.conf': nova(site),
    'octavia.conf': octavia(site),
    ...(site.extras.has('cinder') ? { 'cinder.conf': cinder(site) } : {}),
    ...(site.extras.has('ironic') ? { 'ironic.conf': ironic(site) } : {}),
  };
  for (const [name, settings] of Object.entries(files)) await writeIni(site.path('etc', name), settings);
  for (const [service, rules] of Object.entries(policies))
    await writeFile(policyOf(site, service), JSON.stringify(rules, undefined, 2));
  await writeFile(
    site.path('queue', 'rabbitmq.conf'),
    [
      `listeners.tcp.default = ${host}:${site.ports.queue}`,
      'vm_memory_high_watermark.absolute = 1GB',
      'disk_free_limit.absolute = 50MB',
      'log.console = true',
      'log.console.level = warning',
      'log.file = false',
      '',
    ].join('\n'),
  );
  await writeFile(site.path('queue', 'plugins'), '[].');
}

export async function writeIni(path: string, settings: Settings): Promise<void> {
  const sections = Object.entries(settings).map(([name, section]) =>
    [`[${name}]`, ...Object.entries(section).map(([key, value]) => `${key} = ${String(value)}`), ''].join('\n'),
  );
  await writeFile(path, sections.join('\n'));
}

export function databaseUrl({ ports }: Site, name: string): string {
  return `mysql+pymysql://openstack:${password}@${host}:${ports.database}/${name}?charset=utf8`;
}

function keystone(site: Site): Settings {
  return {
    DEFAULT: { use_stderr: true },
    token: { provider: 'fernet', expiration: 14_400 },
    fernet_tokens: { key_repository: site.path('keystone', 'fernet-keys') },
    credential: { key_repository: site.path('keystone', 'credential-keys') },
    identity: { password_hash_rounds: 4 },
    // Without a cache each request costs some 350 SQL statements.
    cache: { enabled: true, backend: 'oslo_cache.memcache_pool', memcache_servers: `${host}:${site.ports.cache}` },
    ...common(site, 'keystone'),
  };
}

function glance(site: Site): Settings {
  return {
    DEFAULT: {
      bind_host: host,
      bind_port: site.ports.glance,
      workers: 0,
      graceful_shutdown_timeout: 5,
      enabled_backends: 'file:file',
      enabled_import_methods: '[glance-direct,web-download]',
      node_staging_uri: `file://${site.path('glance', 'staging')}`,
      transport_url: queueUrl(site),
      rpc_response_timeout: patience_s,
    },
    glance_store: { default_backend: 'file' },
    file: { filesystem_store_datadir: site.path('glance', 'images') },
    os_glance_tasks_store: { filesystem_store_datadir: site.path('glance', 'tasks') },
    os_glance_staging_store: { filesystem_store_datadir: site.path('glance', 'staging') },
    // Tests import images from this machine, on any port. Glance refuses to read from it unless it is named.
    import_filtering_opts: { allowed_hosts: `[${host}]`, allowed_ports: '[]' },
    paste_deploy: { flavor: 'keystone', config_file: join(pasteFolder, 'glance.ini') },
    ...tokens(site, 'glance'),
    ...common(site, 'glance'),
  };
}

function placement(site: Site): Settings {
  return {
    DEFAULT: { use_stderr: true },
    api: { auth_strategy: 'keystone' },
    placement_database: { connection: databaseUrl(site, 'placement'), sync_on_startup: true },
    oslo_policy: { policy_file: policyOf(site, 'placement') },
    ...tokens(site, 'placement'),
  };
}

function neutron(site: Site): Settings {
  return {
    DEFAULT: {
      bind_host: host,
      bind_port: site.ports.neutron,
      // Most time of the tests goes to the calls of Neutron, so it gets both processors of a small machine.
      api_workers: 2,
      // The only host is always there. On a busy machine, Neutron may not notice its signs of life for minutes.
      agent_down_time: 86_400,
      rpc_workers: 0,
      rpc_state_report_workers: 0,
      graceful_shutdown_timeout: 5,
      core_plugin: 'ml2',
      service_plugins: 'ovn-router',
      auth_strategy: 'keystone',
      transport_url: queueUrl(site),
      rpc_response_timeout: patience_s,
      api_paste_config: join(pasteFolder, 'neutron.ini'),
      state_path: site.path('neutron'),
      notify_nova_on_port_status_changes: true,
      notify_nova_on_port_data_changes: true,
      send_events_interval: 1,
      dhcp_agent_notification: false,
      max_allowed_address_pair: 50,
    },
    ml2: {
      type_drivers: 'local,flat,vlan,geneve',
      tenant_network_types: 'geneve',
      mechanism_drivers: 'ovn',
      extension_drivers: 'port_security',
      overlay_ip_version: 4,
    },
    ml2_type_flat: { flat_networks: '*' },
    ml2_type_vlan: { network_vlan_ranges: `${physicalNetwork}:100:4000` },
    ml2_type_geneve: { vni_ranges: '1:65535', max_header_size: 38 },
    securitygroup: { enable_security_group: true },
    ovn: {
      ...ovn(site),
      ovn_l3_scheduler: 'leastloaded',
      ovn_metadata_enabled: false,
      enable_distributed_floating_ip: false,
      neutron_sync_mode: 'log',
    },
    nova: account(site, 'nova'),
    placement: account(site, 'placement'),
    ...tokens(site, 'neutron'),
    ...common(site, 'neutron'),
  };
}

function nova(site: Site): Settings {
  const gpu = { vendor_id: '10de', product_id: '2330' };
  return {
    DEFAULT: {
      osapi_compute_listen: host,
      osapi_compute_listen_port: site.ports.nova,
      osapi_compute_workers: 1,
      enabled_apis: 'osapi_compute',
      graceful_shutdown_timeout: 5,
      host: hypervisor,
      my_ip: host,
      transport_url: queueUrl(site),
      rpc_response_timeout: patience_s,
      compute_driver: 'unikorn_hypervisor.Hypervisor',
      state_path: site.path('nova'),
      instances_path: site.path('nova', 'instances'),
      vif_plugging_is_fatal: false,
      vif_plugging_timeout: 0,
      ram_allocation_ratio: '1.0',
      initial_cpu_allocation_ratio: '16.0',
      reserved_host_memory_mb: 0,
      update_resources_interval: 30,
      periodic_fuzzy_delay: 0,
      allow_resize_to_same_host: true,
    },
    api_database: { connection: databaseUrl(site, 'nova_api') },
    api: { auth_strategy: 'keystone' },
    wsgi: { api_paste_config: join(pasteFolder, 'nova.ini') },
    conductor: { workers: 1 },
    scheduler: { workers: 1, discover_hosts_in_cells_interval: 5 },
    filter_scheduler: {
      enabled_filters:
        'ComputeFilter,ComputeCapabilitiesFilter,ImagePropertiesFilter,ServerGroupAntiAffinityFilter,ServerGroupAffinityFilter,PciPassthroughFilter',
    },
    pci: {
      device_spec: JSON.stringify(gpu),
      alias: JSON.stringify({ name: 'h100', ...gpu, device_type: 'type-PCI' }),
    },
    glance: { api_servers: site.url('glance'), num_retries: 3 },
    vnc: {
      enabled: true,
      server_listen: host,
      server_proxyclient_address: host,
      novncproxy_host: host,
      novncproxy_port: site.ports.consoles,
      novncproxy_base_url: site.url('consoles', '/vnc_auto.html'),
    },
    service_user: { send_service_user_token: true, ...account(site, 'nova') },
    neutron: account(site, 'nova'),
    placement: account(site, 'nova'),
    ...tokens(site, 'nova'),
    ...common(site, 'nova'),
  };
}

/**
 * The API, the worker and their calls of Nova and Neutron are real. Only the agent inside of an amphora is not: the
 * hypervisor cannot boot one.
 */
function octavia(site: Site): Settings {
  const authority = site.path('octavia', 'authority.pem');
  return {
    DEFAULT: { transport_url: queueUrl(site), rpc_response_timeout: patience_s },
    api_settings: {
      bind_host: host,
      bind_port: site.ports.octavia,
      auth_strategy: 'keystone',
      enabled_provider_drivers: 'amphora: Octavia amphora driver, ovn: Octavia OVN driver',
      default_provider_driver: 'amphora',
      api_base_uri: site.url('octavia'),
    },
    oslo_messaging: { topic: 'octavia_prov' },
    controller_worker: {
      workers: 1,
      amphora_driver: 'amphora_noop_driver',
      compute_driver: 'compute_nova_driver',
      network_driver: 'allowed_address_pairs_driver',
      loadbalancer_topology: 'SINGLE',
      amp_image_tag: 'amphora',
      // Ten minutes: a busy machine takes its time.
      amp_active_retries: 600,
      amp_active_wait_sec: 1,
      client_ca: authority,
    },
    certificates: {
      cert_generator: 'local_cert_generator',
      cert_manager: 'local_cert_manager',
      ca_certificate: authority,
      ca_private_key: site.path('octavia', 'authority.key'),
      ca_private_key_passphrase: password,
      server_certs_key_passphrase: 'insecure-key-do-not-use-this-key',
    },
    haproxy_amphora: { client_cert: authority, server_ca: authority },
    health_manager: {
      heartbeat_key: password,
      bind_ip: host,
      bind_port: site.ports.heartbeats,
      controller_ip_port_list: `${host}:${site.ports.heartbeats}`,
    },
    networking: { max_retries: 300, retry_interval: 1 },
    driver_agent: {
      status_socket_path: site.path('octavia', 'status.sock'),
      stats_socket_path: site.path('octavia', 'stats.sock'),
      get_socket_path: site.path('octavia', 'get.sock'),
      enabled_provider_agents: 'ovn',
    },
    ovn: ovn(site),
    neutron: { service_name: '', region_name: openstackRegion },
    nova: { region_name: openstackRegion },
    glance: { region_name: openstackRegion },
    service_auth: account(site, 'octavia'),
    ...tokens(site, 'octavia'),
    ...common(site, 'octavia'),
  };
}

/** The API alone: types and quotas of volumes are all that a region uses, and no volume is made. */
function cinder(site: Site): Settings {
  return {
    DEFAULT: {
      osapi_volume_listen: host,
      osapi_volume_listen_port: site.ports.cinder,
      osapi_volume_workers: 1,
      graceful_shutdown_timeout: 5,
      my_ip: host,
      transport_url: queueUrl(site),
      rpc_response_timeout: patience_s,
      auth_strategy: 'keystone',
      api_paste_config: join(pasteFolder, 'cinder.ini'),
      state_path: site.path('cinder'),
    },
    ...tokens(site, 'cinder'),
    ...common(site, 'cinder'),
  };
}

/** API and conductor in one process. Its machines are of the hardware type `fake-hardware`, which does nothing. */
function ironic(site: Site): Settings {
  return {
    DEFAULT: {
      host: hypervisor,
      my_ip: host,
      auth_strategy: 'keystone',
      rpc_transport: 'none',
      state_path: site.path('ironic'),
      tempdir: site.path('ironic'),
      enabled_hardware_types: 'fake-hardware',
      default_deploy_interface: 'fake',
      default_network_interface: 'noop',
      ...Object.fromEntries(
        ['bios', 'boot', 'console', 'deploy', 'firmware', 'inspect', 'management', 'power', 'raid', 'vendor'].map(
          (part) => [`enabled_${part}_interfaces`, 'fake'],
        ),
      ),
      enabled_network_interfaces: 'noop',
      enabled_storage_interfaces: 'noop',
    },
    api: { host_ip: host, port: site.ports.ironic, api_workers: 1 },
    conductor: { automated_clean: false, sync_power_state_interval: -1, workers_pool_size: 8 },
    ...Object.fromEntries(
      ['glance', 'neutron', 'nova', 'service_catalog', 'swift'].map((name) => [name, account(site, 'ironic')]),
    ),
    ...tokens(site, 'ironic'),
    ...common(site, 'ironic'),
  };
}

function ovn({ ports }: Site): Section {
  return {
    ovn_nb_connection: `tcp:${host}:${ports.northbound}`,
    ovn_sb_connection: `tcp:${host}:${ports.southbound}`,
  };
}

/** How long one service waits for another one. On a busy machine the minute of OpenStack is too short. */
const patience_s = 600;

function queueUrl({ ports }: Site): string {
  return `rabbit://guest:guest@${host}:${ports.queue}/`;
}

function policyOf(site: Site, service: string): string {
  return site.path('etc', `${service}-policy.yaml`);
}

/** How a service logs in at another one. */
function account(site: Site, user: string): Section {
  return {
    auth_type: 'password',
    auth_url: site.url('keystone', '/v3'),
    username: user,
    password,
    project_name: 'service',
    user_domain_name: 'Default',
    project_domain_name: 'Default',
    region_name: openstackRegion,
  };
}

/** How a service checks the tokens of its callers. */
function tokens(site: Site, user: string): Settings {
  return {
    keystone_authtoken: {
      ...account(site, user),
      www_authenticate_uri: site.url('keystone', '/v3'),
      service_token_roles_required: true,
      service_token_roles: 'service',
      interface: 'public',
      memcached_servers: `${host}:${site.ports.cache}`,
    },
  };
}

function common(site: Site, service: string): Settings {
  return {
    database: { connection: databaseUrl(site, service), max_pool_size: 10, max_overflow: 20 },
    oslo_concurrency: { lock_path: site.path('locks') },
    oslo_messaging_rabbit: { heartbeat_in_pthread: false, rabbit_quorum_queue: false },
    oslo_policy: { policy_file: policyOf(site, service) },
    oslo_middleware: { enable_proxy_headers_parsing: true },
  };
}
