import { isIP } from 'node:net';

import type { LoadBalancer } from '@unikorn/sdk';

import { isFields, valueAt, withValueAt } from '../documents.ts';
import { Failure } from '../failure.ts';
import type { Lookups, Named } from './noun.ts';
import { parseObject } from './securitygroup-rule.ts';

export type Listener = LoadBalancer['spec']['listeners'][number];

const written = /^(?<name>[a-z](?:[-a-z0-9]*[a-z0-9])?):(?<protocol>tcp|udp):(?<port>\d+)=(?<members>[-\w.:,]*)$/;

/** Parses a listener: `name:protocol:port=member:port,…`, or JSON, which has more settings. */
export function parseListener(text: string): unknown {
  if (text.startsWith('{')) return parseObject(text);
  const { name, protocol, port, members } = written.exec(text)?.groups ?? {};
  if (name === undefined || members === undefined)
    throw new Failure(
      'usage',
      `${text} is not a listener; write name:protocol:port=member:port,…, such as web:tcp:80=web-1:8080,10.0.0.6:8080`,
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
  if (address === '' || !/^\d+$/.test(port ?? '') || rest.length > 0)
    throw new Failure(
      'usage',
      `${text} is not a member of a listener; write an instance or an address, and a port, such as web-1:8080`,
    );
  return { address, port: Number(port) };
}

export function listenerText({ name, protocol, port, pool }: Listener): string {
  return `${name}:${protocol}:${port}=${pool.members.map((member) => `${member.address}:${member.port}`).join(',')}`;
}

/** Replaces instances among the members with their addresses. */
export async function withAddresses(listener: unknown, { find }: Pick<Lookups, 'find'>): Promise<unknown> {
  const members = valueAt(listener, 'pool.members');
  if (!isFields(listener) || !Array.isArray(members)) return listener;
  const resolved = await Promise.all(
    members.map(async (member: unknown) => {
      const address = valueAt(member, 'address');
      if (!isFields(member) || typeof address !== 'string' || isIP(address) !== 0) return member;
      return { ...member, address: addressOf(await find('instance', address)) };
    }),
  );
  return withValueAt(listener, 'pool.members', resolved);
}

function addressOf(instance: Named): string {
  const address = valueAt(instance, 'status.privateIP');
  if (typeof address === 'string') return address;
  throw new Failure(
    'refused',
    `instance ${instance.metadata.name} has no address yet; try again when it is provisioned`,
  );
}
