import { isMap, isScalar, parseDocument } from 'yaml';

import { words } from '../../words/index.ts';

const texts = words.instance.userData;

/** The service takes this many characters of base64. */
export const mostCharacters = 65_535;

export interface Flaw {
  readonly from: number;
  readonly to: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** The first lines by which cloud-init knows what user data is. */
const beginnings = [
  '#cloud-config',
  '#!',
  '#include',
  '#cloud-boothook',
  '#cloud-config-archive',
  '#part-handler',
  '## template: jinja',
  'Content-Type: multipart',
  'MIME-Version:',
];

/** The keys that modules of cloud-init read. */
const keys = new Set(
  `allow_public_ssh_keys ansible apk_repos apt apt_pipelining authkey_hash autoinstall bootcmd byobu_by_default ca_certs
  ca-certs chef chpasswd cloud_config_modules cloud_final_modules cloud_init_modules create_hostname_file datasource
  datasource_list debug device_aliases disable_ec2_metadata disable_root disable_root_opts disk_setup drivers fan
  final_message fqdn fs_setup groups growpart grub_dpkg grub-dpkg hostname http_proxy install_hotplug keyboard landscape
  launch-index locale locale_configfile lxd manage_etc_hosts manage_resolv_conf mcollective merge_how merge_type
  migrate mounts mount_default_fields network no_ssh_fingerprints ntp output package_reboot_if_required
  package_update package_upgrade packages password phone_home power_state prefer_fqdn_over_hostname preserve_hostname
  puppet random_seed reporting resize_rootfs resolv_conf rh_subscription rsyslog runcmd salt_minion snap spacewalk
  ssh ssh_authorized_keys ssh_deletekeys ssh_fp_console_blacklist ssh_genkeytypes ssh_import_id ssh_key_console_blacklist
  ssh_keys ssh_publish_hostkeys ssh_pwauth ssh_quiet_keygen swap system_info timezone ubuntu_advantage ubuntu_pro
  ubuntu_autoinstall updates user users vendor_data version wireguard write_files yum_repos yum_repo_dir zypper`.split(
    /\s+/,
  ),
);

/** How many characters of base64 a text needs. */
export function encodedLength(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 3) * 4;
}

/** What is wrong with user data. Nothing here is refused by the service, except for the size. */
export function flawsIn(text: string): readonly Flaw[] {
  if (text === '') return [];
  const [first = ''] = text.split('\n');
  const size: readonly Flaw[] =
    encodedLength(text) > mostCharacters
      ? [{ from: 0, to: first.length, severity: 'error', message: texts.tooLong }]
      : [];
  if (!beginnings.some((beginning) => first.toLowerCase().startsWith(beginning.toLowerCase())))
    return [...size, { from: 0, to: first.length, severity: 'warning', message: texts.unknownBeginning }];
  return /^#cloud-config\s*$/.test(first) ? [...size, ...yamlFlaws(text)] : size;
}

function yamlFlaws(text: string): readonly Flaw[] {
  const document = parseDocument(text, { prettyErrors: false });
  if (document.errors.length > 0)
    return document.errors.map(({ pos: [from, to], message }) => ({
      from: Math.min(from, text.length),
      to: Math.min(Math.max(to, from), text.length),
      severity: 'error',
      message,
    }));
  const { contents } = document;
  if (contents === null) return [];
  if (!isMap(contents)) return [{ from: 0, to: text.indexOf('\n'), severity: 'error', message: texts.notMap }];
  return contents.items.flatMap(({ key }): readonly Flaw[] => {
    const name = isScalar(key) ? String(key.value) : '';
    if (!isScalar(key) || keys.has(name)) return [];
    const [from, to] = key.range;
    return [{ from, to, severity: 'warning', message: texts.unknownKey(name) }];
  });
}
