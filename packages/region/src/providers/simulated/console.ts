import { limits, waits } from './limits.ts';
import type { ServerBody } from './server-state.ts';

/** The console output of a boot: the seconds after the start, and the line. */
function bootLines({
  wanted,
  imageId,
  host,
  privateIP,
  macAddress,
}: ServerBody): readonly (readonly [number, string])[] {
  return [
    [0, `Linux version 6.8.0-simulated (${host}) #1 SMP PREEMPT_DYNAMIC`],
    [0, `Command line: BOOT_IMAGE=/vmlinuz root=LABEL=cloudimg-rootfs ro console=ttyS0 image=${imageId}`],
    [0.4, 'Memory: all banks are usable'],
    [0.9, 'virtio_blk virtio1: [vda] root disk found'],
    [1.3, 'EXT4-fs (vda1): mounted filesystem with ordered data mode'],
    [1.8, `systemd[1]: Hostname set to <${wanted.name}>.`],
    [2.6, `virtio_net eth0: ${macAddress} up`],
    [3.1, `cloud-init[412]: init-local: network configured, address ${privateIP}`],
    [4.2, `cloud-init[455]: user data ${wanted.userData === undefined ? 'not found' : 'found and applied'}`],
    [5.5, 'systemd[1]: Started ssh.service - OpenBSD Secure Shell server.'],
    [6.3, 'cloud-init[501]: modules:final finished'],
    [7, 'systemd[1]: Reached target multi-user.target - Multi-User System.'],
  ];
}

/** The console output of a server after this uptime. */
export function consoleLines(body: ServerBody, up_ms: number): readonly string[] {
  const up_s = up_ms / 1000;
  if (up_s < 0) return [];
  const boot = bootLines(body).filter(([at]) => at <= up_s);
  const rounds = Math.floor(up_s / waits.consoleChatter_s);
  const first = Math.max(1, rounds - limits.consoleLinesKept + 1);
  const chatter = Array.from(
    { length: rounds - first + 1 },
    (_, index) =>
      [
        (first + index) * waits.consoleChatter_s,
        'systemd[1]: Finished sysstat-collect.service - system activity accounting tool.',
      ] as const,
  );
  const login = up_s >= waits.login_s ? [`${body.wanted.name} login: `] : [];
  return [...[...boot, ...chatter].map(([at, text]) => `[${at.toFixed(6).padStart(12)}] ${text}`), ...login].slice(
    -limits.consoleLinesKept,
  );
}
