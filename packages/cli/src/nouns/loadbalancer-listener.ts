import type { LoadBalancer } from '@unikorn/sdk';

import { Failure } from '../failure.ts';
import { parseObject } from './securitygroup-rule.ts';

export type Listener = LoadBalancer['spec']['listeners'][number];

const written = /^(?<name>[a-z](?:[-a-z0-9]*[a-z0-9])?):(?<protocol>tcp|udp):(?<port>\d+)=(?<members>[\d.:,]*)$/;

/** Parses a listener: `name:protocol:port=address:port,…`, or JSON, which has more settings. */
export function parseListener(text: string): unknown {
  if (text.startsWith('{')) return parseObject(text);
  const { name, protocol, port, members } = written.exec(text)?.groups ?? {};
  if (name === undefined || members === undefined)
    throw new Failure(
      'usage',
      `${text} is not a listener; write name:protocol:port=address:port,…, such as web:tcp:80=10.0.0.5:8080`,
      'protocols are tcp and udp; for health checks, allowed prefixes and timeouts write the listener as JSON',
    );
  return {
    name,
    protocol,
    port: Number(port),
    pool: {
      members: members
        .split(',')
        .filter((member) => member !== '')
        .map(memberOf),
    },
  };
}

function memberOf(text: string): { readonly address: string; readonly port: number } {
  const [address = '', port, ...rest] = text.split(':');
  if (!port || rest.length > 0)
    throw new Failure('usage', `${text} is not a member of a listener; write address:port, such as 10.0.0.5:8080`);
  return { address, port: Number(port) };
}

export function listenerText({ name, protocol, port, pool }: Listener): string {
  return `${name}:${protocol}:${port}=${pool.members.map((member) => `${member.address}:${member.port}`).join(',')}`;
}
