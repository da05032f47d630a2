const keysFile = '/etc/ssh/trusted-user-ca-keys.pub';
const serverConfiguration = '/etc/ssh/sshd_config.d/90-unikorn-trusted-user-ca.conf';

/** The SSH service has different names in different distributions, and not all of them use systemd. */
const reload =
  'for name in sshd ssh; do systemctl reload-or-restart $name && break; service $name restart && break; done || true';

/** Makes a guest trust a certificate authority. Files are encoded, so that a comment on a key cannot break the YAML. */
export function authorityConfig(authorityKey: string): string {
  return `#cloud-config
write_files:
${file(keysFile, authorityKey)}
${file(serverConfiguration, `TrustedUserCAKeys ${keysFile}`)}
runcmd:
- [sh, -c, '${reload}']
`;
}

function file(path: string, line: string): string {
  return `- path: ${path}
  owner: root:root
  permissions: '0644'
  encoding: b64
  content: ${Buffer.from(`${line}\n`).toString('base64')}`;
}

/**
 * The same as a part besides the user's own. Without the merge type its lists would replace those of every earlier
 * part, and the user's own files and commands would be lost silently.
 */
export function authorityPart(authorityKey: string): string {
  return `Content-Type: text/cloud-config
MIME-Version: 1.0
Content-Disposition: attachment; filename="unikorn-ssh-certificate-authority"
Merge-Type: list(append)+dict(no_replace,recurse_list)+str()

${authorityConfig(authorityKey)}`;
}
