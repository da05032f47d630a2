import { crc32 } from 'node:zlib';

/**
 * Tells text from what became of it on a disk that lost or changed some of it. It guards against accidents, not against
 * people.
 */
export function digestOf(data: string): number {
  return crc32(data);
}
