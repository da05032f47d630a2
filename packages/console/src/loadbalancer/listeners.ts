import type { LoadBalancer } from '@unikorn/sdk';

import { mergedBy } from '../parts/three-way.ts';
import { words } from '../words/index.ts';

export type Listener = LoadBalancer['spec']['listeners'][number];
export type Member = Listener['pool']['members'][number];

/** A listener while it is being written. */
export interface DraftListener {
  readonly key: string;
  readonly name: string;
  readonly protocol: Listener['protocol'];
  readonly port: string;
  /** One `address:port` in each line. */
  readonly members: string;
  readonly healthCheck: boolean;
  /** The fields that are seldom needed. */
  readonly rest: Pick<Listener, 'allowedCidrs' | 'idleTimeoutSeconds'> & Omit<Listener['pool'], 'members'>;
}

export const protocols = ['tcp', 'udp'] as const satisfies readonly Listener['protocol'][];

export function emptyListener(key: string): DraftListener {
  return { key, name: '', protocol: 'tcp', port: '80', members: '', healthCheck: true, rest: {} };
}

export function draftOf({ name, protocol, port, pool, ...rest }: Listener, key: string): DraftListener {
  const { members, ...others } = pool;
  return {
    key,
    name,
    protocol,
    port: String(port),
    members: members.map(memberText).join('\n'),
    healthCheck: pool.healthCheck !== undefined,
    rest: { ...rest, ...others },
  };
}

/** The listener as the API takes it. */
export function listenerOf({ name, protocol, port, members, healthCheck, rest }: DraftListener): Listener {
  const { allowedCidrs, idleTimeoutSeconds, proxyProtocolV2, healthCheck: settings = {} } = rest;
  return {
    name: name.trim(),
    protocol,
    port: Number(port),
    ...(allowedCidrs ? { allowedCidrs } : {}),
    ...(idleTimeoutSeconds === undefined ? {} : { idleTimeoutSeconds }),
    pool: {
      ...(proxyProtocolV2 === undefined ? {} : { proxyProtocolV2 }),
      members: membersIn(members).flatMap((member) => (typeof member === 'string' ? [] : [member])),
      ...(healthCheck ? { healthCheck: settings } : {}),
    },
  };
}

export function memberText({ address, port }: Member): string {
  return `${address}:${port}`;
}

/** The members of a text; a line that is not a member is given back as it is. */
export function membersIn(text: string): readonly (Member | string)[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const { address, port } = /^(?<address>[\d.]+):(?<port>\d{1,5})$/.exec(line)?.groups ?? {};
      return address === undefined ? line : { address, port: Number(port) };
    });
}

/** Listeners in one line, such as `web tcp 80 10.0.0.5:8080`. */
export function listenersText(listeners: readonly DraftListener[]): string {
  return listeners
    .map(({ name, protocol, port, members }) => [name, protocol, port, ...members.split('\n')].join(' ').trim())
    .join(', ');
}

const mergedDrafts = mergedBy((listener: DraftListener) => JSON.stringify({ ...listener, key: '' }));

/** Their listeners with my changes. */
export function mergedListeners(
  opened: readonly DraftListener[],
  theirs: readonly DraftListener[],
  mine: readonly DraftListener[],
): readonly DraftListener[] {
  return mergedDrafts(opened, theirs, mine).map((listener, index) => ({ ...listener, key: String(index + 1) }));
}

/** Why the listeners cannot be sent yet. */
export function problemOf(listeners: readonly DraftListener[]): string | undefined {
  const texts = words.loadBalancer;
  const nameless = listeners.find(({ name }) => name.trim() === '');
  if (nameless) return `${texts.listenerName}: ${words.parts.required}`;
  const wrong = listeners.flatMap(({ members }) => membersIn(members)).find((member) => typeof member === 'string');
  return wrong === undefined ? undefined : texts.wrongMember(wrong);
}
