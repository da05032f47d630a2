import { waits } from '../limits.ts';

interface DatedKey {
  readonly created: string;
}

function age_ms({ created }: DatedKey, now: number): number {
  return now - Date.parse(created);
}

/** Whether the newest key has reached its maximum age. Keys are sorted, the newest first. */
export function isRotationDue([newest]: readonly DatedKey[], now: number): boolean {
  return newest === undefined || age_ms(newest, now) >= waits.keyRotation_ms;
}

/**
 * The keys after a rotation. The previous key stays published until the next rotation, which is much longer than the
 * lifetime of its tokens, so all logins remain valid.
 */
export function rotated<Key extends DatedKey>(keys: readonly Key[], added: Key): Key[] {
  return [added, ...keys.slice(0, 1)];
}

/**
 * The same keys with the one that signs now first: the newest that was published long enough ago, or else the oldest.
 */
export function inSigningOrder<Key extends DatedKey>(keys: readonly Key[], now: number): readonly Key[] {
  const signing = keys.find((key) => age_ms(key, now) >= waits.keyAnnouncement_ms) ?? keys.at(-1);
  return signing === undefined ? [] : [signing, ...keys.filter((key) => key !== signing)];
}
