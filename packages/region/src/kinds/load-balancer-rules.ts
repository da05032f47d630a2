import type { AdmissionRule } from '@unikorn/core/kinds';

const alone: readonly AdmissionRule[] = [
  {
    rule: 'self.spec.listeners.all(listener, listener.protocol == "tcp" || !has(listener.idleTimeoutSeconds))',
    message: 'only a tcp listener has an idle timeout',
  },
  {
    rule: 'self.spec.listeners.all(listener, listener.protocol == "tcp" || !listener.pool.proxyProtocolV2)',
    message: 'only a tcp listener can use the proxy protocol',
  },
  {
    rule: 'self.spec.listeners.all(listener, !has(listener.pool.healthCheck) || listener.pool.healthCheck.timeoutSeconds < listener.pool.healthCheck.intervalSeconds)',
    message: 'a health check must time out before the next one starts',
  },
];

/**
 * The handler checks that the members of a pool are unique: a rule that compares all pairs takes most of a second for
 * many members.
 */
const together: readonly AdmissionRule[] = [
  {
    rule: 'self.spec.listeners.all(one, self.spec.listeners.exists_one(other, other.name == one.name))',
    message: 'the names of listeners must be unique',
  },
  {
    rule: 'self.spec.listeners.all(one, self.spec.listeners.exists_one(other, other.protocol == one.protocol && other.port == one.port))',
    message: 'two listeners cannot share a protocol and port',
  },
];

/** A listener is identified by its name. The fields that clients connect to must not change. */
const overTime: readonly AdmissionRule[] = [
  {
    rule: 'self.spec.listeners.all(now, oldSelf.spec.listeners.all(before, before.name != now.name || (before.protocol == now.protocol && before.port == now.port && before.pool.proxyProtocolV2 == now.pool.proxyProtocolV2)))',
    message:
      'protocol, port and proxyProtocolV2 of a listener cannot be changed: use another name for another listener',
  },
];

export const listenerRules: readonly AdmissionRule[] = [...alone, ...together, ...overTime];
