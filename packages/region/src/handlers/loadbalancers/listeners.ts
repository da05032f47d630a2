import type { Static } from 'typebox';

import { Problem } from '@unikorn/core/errors';
import type { DeepReadonly, SpecOf } from '@unikorn/core/kinds';

import type { LoadBalancerListener } from '../../api/loadbalancers.ts';
import type { LoadBalancer } from '../../kinds/index.ts';
import { requirePrefix } from '../../network/index.ts';
import type { CheckMember } from './members.ts';

export type WireListener = DeepReadonly<Static<typeof LoadBalancerListener>>;
type WirePool = WireListener['pool'];
type StoredListener = SpecOf<typeof LoadBalancer>['listeners'][number];
type StoredPool = StoredListener['pool'];

/** The default idle timeout of a listener. */
const defaultIdleTimeoutSeconds = 60;
const defaultHealthCheck: NonNullable<StoredPool['healthCheck']> = {
  intervalSeconds: 10,
  timeoutSeconds: 5,
  healthyThreshold: 2,
  unhealthyThreshold: 2,
};

/** Listeners as they are stored, with defaults applied. An invalid listener is refused with its field. */
export function storedListeners(
  listeners: readonly WireListener[],
  checkMember: CheckMember,
): readonly StoredListener[] {
  const field = (index: number) => `spec.listeners.${index}`;
  const sameName = firstRepeat(listeners, ({ name }) => name);
  if (sameName)
    throw refusal(
      `${field(sameName.index)}.name`,
      `listener ${sameName.of} has the same name: give each listener its own name`,
    );
  const samePort = firstRepeat(listeners, ({ protocol, port }) => `${protocol}/${port}`);
  if (samePort)
    throw refusal(
      `${field(samePort.index)}.port`,
      `listener ${samePort.of} has the same protocol and port: choose another port`,
    );
  return listeners.map((listener, index) => storedListener(field(index), listener, checkMember));
}

function storedListener(field: string, listener: WireListener, checkMember: CheckMember): StoredListener {
  const { name, protocol, port, allowedCidrs, pool } = listener;
  allowedCidrs?.forEach((cidr, index) => requirePrefix(`${field}.allowedCidrs.${index}`, cidr));
  return {
    name,
    protocol,
    port,
    ...(allowedCidrs ? { allowedCIDRs: allowedCidrs } : {}),
    ...storedIdleTimeout(field, listener),
    pool: storedPool(`${field}.pool`, protocol, pool, checkMember),
  };
}

function storedIdleTimeout(
  field: string,
  { protocol, idleTimeoutSeconds }: WireListener,
): Pick<StoredListener, 'idleTimeoutSeconds'> {
  if (protocol === 'tcp') return { idleTimeoutSeconds: idleTimeoutSeconds ?? defaultIdleTimeoutSeconds };
  if (idleTimeoutSeconds !== undefined)
    throw refusal(`${field}.idleTimeoutSeconds`, 'is allowed for tcp listeners only: leave it out');
  return {};
}

function storedPool(
  field: string,
  protocol: WireListener['protocol'],
  { proxyProtocolV2 = false, members, healthCheck }: WirePool,
  checkMember: CheckMember,
): StoredPool {
  if (proxyProtocolV2 && protocol !== 'tcp')
    throw refusal(`${field}.proxyProtocolV2`, 'is allowed for tcp listeners only: leave it out');
  members.forEach(({ address }, index) => {
    checkMember(`${field}.members.${index}.address`, address);
  });
  const same = firstRepeat(members, ({ address, port }) => `${address}:${port}`);
  if (same) throw refusal(`${field}.members.${same.index}`, `is the same as member ${same.of}: list each member once`);
  return {
    proxyProtocolV2,
    members: members.map(({ address, port }) => ({ address, port })),
    ...(healthCheck ? { healthCheck: storedHealthCheck(`${field}.healthCheck`, healthCheck) } : {}),
  };
}

function storedHealthCheck(
  field: string,
  sent: NonNullable<WirePool['healthCheck']>,
): NonNullable<StoredPool['healthCheck']> {
  const { intervalSeconds = defaultHealthCheck.intervalSeconds, timeoutSeconds = defaultHealthCheck.timeoutSeconds } =
    sent;
  const {
    healthyThreshold = defaultHealthCheck.healthyThreshold,
    unhealthyThreshold = defaultHealthCheck.unhealthyThreshold,
  } = sent;
  if (timeoutSeconds >= intervalSeconds)
    throw refusal(
      `${field}.timeoutSeconds`,
      `${timeoutSeconds} is not less than the interval of ${intervalSeconds} seconds: reduce it, or increase intervalSeconds`,
    );
  return { intervalSeconds, timeoutSeconds, healthyThreshold, unhealthyThreshold };
}

/** The fields that clients of a listener rely on; they cannot change while the listener keeps its name. */
const frozenFields = [
  { field: 'protocol', valueOf: ({ protocol }: StoredListener) => protocol },
  { field: 'port', valueOf: ({ port }: StoredListener) => port },
  { field: 'pool.proxyProtocolV2', valueOf: ({ pool }: StoredListener) => pool.proxyProtocolV2 },
] as const;

/** Refuses to change these fields of a listener that keeps its name. */
export function checkFrozen(before: readonly StoredListener[], after: readonly StoredListener[]): void {
  const known = new Map(before.map((listener) => [listener.name, listener]));
  after.forEach((listener, index) => {
    const former = known.get(listener.name);
    const changed = former && frozenFields.find(({ valueOf }) => valueOf(former) !== valueOf(listener));
    if (changed)
      throw refusal(
        `spec.listeners.${index}.${changed.field}`,
        `cannot be changed for listener ${listener.name}: give the changed listener another name`,
      );
  });
}

export function wireListener({ allowedCIDRs, ...listener }: StoredListener): WireListener {
  return { ...listener, ...(allowedCIDRs ? { allowedCidrs: allowedCIDRs } : {}) };
}

function refusal(field: string, reason: string): Problem {
  return new Problem('unprocessable_content', `${field}: ${reason}`);
}

/** The first item that has the key of an earlier one, and the index of that one. */
function firstRepeat<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): { readonly index: number; readonly of: number } | undefined {
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const of = seen.get(keyOf(item));
    if (of !== undefined) return { index, of };
    seen.set(keyOf(item), index);
  }
  return undefined;
}
