import { createHmac } from 'node:crypto';

import { limits, waits } from '../../limits.ts';
import type { ArtifactPayload, Artifacts } from '../artifacts.ts';
import type { Sealer } from '../sealing.ts';
import type { Attempts, Counters } from './throttle.ts';

/** Counters in the memory of one process. The oldest one is forgotten when there are too many. */
export function countersInMemory(): Counters {
  const counters = new Map<string, Attempts>();
  return {
    find: (key) => Promise.resolve(counters.get(key)),
    change: (key, decide) => {
      const next = decide(counters.get(key));
      if (next) counters.delete(key);
      if (next && next !== 'none') counters.set(key, next);
      const [oldest] = counters.keys();
      if (counters.size > limits.throttledKeys && oldest !== undefined) counters.delete(oldest);
      return Promise.resolve();
    },
  };
}

export interface StoredCountersDeps {
  readonly artifacts: Pick<Artifacts, 'find' | 'change'>;
  readonly sealer: Pick<Sealer, 'keyFor'>;
}

/**
 * Counters in the store, which all processes share. Clients without a login cause them, so their number is limited:
 * there is a fixed number of objects with a fixed number of counters in each. A client cannot tell which counters are
 * in one object, so it cannot remove the counter of an account by filling its object.
 */
export function countersInStore({ artifacts, sealer }: StoredCountersDeps): Counters {
  const placeOf = (key: string) => {
    const digest = createHmac('sha256', sealer.keyFor('attempts')).update(key).digest();
    return {
      object: String(digest.readUInt32BE(0) % limits.counterObjects),
      name: digest.toString('base64url', 4, 20),
    };
  };
  return {
    find: async (key) => {
      const { object, name } = placeOf(key);
      return countersOf(await artifacts.find(model, object)).get(name);
    },
    change: (key, decide) => {
      const { object, name } = placeOf(key);
      return artifacts.change(model, object, waits.failedLogins_ms / 1000, (payload) => {
        const counters = countersOf(payload);
        const next = decide(counters.get(name));
        if (next === undefined) return undefined;
        counters.delete(name);
        if (next !== 'none') counters.set(name, next);
        const kept = [...counters].slice(-limits.countersOfObject);
        return kept.length === 0 ? 'none' : { counters: kept.map(([of, { count, last }]) => [of, count, last]) };
      });
    },
  };
}

const model = 'Attempts';

/** The oldest comes first. */
function countersOf(payload: ArtifactPayload | undefined): Map<string, Attempts> {
  const stored: unknown = payload?.['counters'];
  const entries: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return new Map(
    entries.flatMap((entry) => {
      const parts: readonly unknown[] = Array.isArray(entry) ? entry : [];
      const [name, count, last] = parts;
      return typeof name === 'string' && typeof count === 'number' && typeof last === 'number'
        ? [[name, { count, last }] as const]
        : [];
    }),
  );
}
