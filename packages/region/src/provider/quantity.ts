const units = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];

/**
 * The bytes of a size as operators write it.
 *
 * @example bytesOf('16Gi') === 16 * 2 ** 30
 */
export function bytesOf(quantity: string): number {
  const [, digits, unit = ''] = /^([0-9]+)([A-Za-z]*)$/.exec(quantity) ?? [];
  return Number(digits) * 1024 ** units.indexOf(unit);
}
