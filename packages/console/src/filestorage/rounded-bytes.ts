import { number } from '../words/index.ts';

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** A number of bytes as people read it, such as `302.9 KiB`. */
export function roundedBytes(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${number(Math.round((10 * bytes) / 1024 ** power) / 10)} ${units[power] ?? 'B'}`;
}
