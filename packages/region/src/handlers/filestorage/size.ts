import { gib } from '../../units.ts';
import { refused } from './fields.ts';

/** Beyond this, bytes cannot be counted exactly. */
const most_gib = Math.floor(Number.MAX_SAFE_INTEGER / gib);

/** The size that is stored and charged, in bytes. It may only grow, because existing files might not fit into less. */
export function storedSize(size_gib: number, current_bytes = 0): number {
  if (size_gib < 1 || size_gib > most_gib) throw refused('spec.sizeGiB', `must be between 1 and ${most_gib}`);
  if (size_gib * gib < current_bytes)
    throw refused(
      'spec.sizeGiB',
      `must not be less than ${Math.ceil(current_bytes / gib)}; file storage cannot shrink`,
    );
  return size_gib * gib;
}
