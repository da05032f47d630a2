interface DatedKey {
  readonly created: string;
}

/** As long as in the original: often enough to bound what a stolen key is good for. */
export const rotation_ms = 90 * 24 * 3600_000;

/**
 * A new key is published this long before it signs, so that every process and every cache of the key set has it by
 * then.
 */
export const announcement_ms = 3600_000;

function age_ms({ created }: DatedKey, now: number): number {
  return now - Date.parse(created);
}

/** Whether the newest key has served its time. Keys are the newest first. */
export function isRotationDue([newest]: readonly DatedKey[], now: number): boolean {
  return newest === undefined || age_ms(newest, now) >= rotation_ms;
}

/**
 * The keys after a rotation. The one before stays published until the next rotation, which is far longer than anything
 * it signed lives, so nobody is logged out.
 */
export function rotated<Key extends DatedKey>(keys: readonly Key[], added: Key): Key[] {
  return [added, ...keys.slice(0, 1)];
}

/**
 * The same keys with the one that signs now in front: the newest that has been announced for long enough, or the
 * oldest.
 */
export function inSigningOrder<Key extends DatedKey>(keys: readonly Key[], now: number): readonly Key[] {
  const signing = keys.find((key) => age_ms(key, now) >= announcement_ms) ?? keys.at(-1);
  return signing === undefined ? [] : [signing, ...keys.filter((key) => key !== signing)];
}
