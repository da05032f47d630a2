import { crc32 } from 'node:zlib';

/**
 * A checksum that detects text that was lost or changed on the disk. It protects against accidents, not against
 * attackers.
 */
export function digestOf(data: string): number {
  return crc32(data);
}
