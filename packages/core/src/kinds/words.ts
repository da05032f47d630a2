import type { Kind } from './kind.ts';

/**
 * The kind in words: `SecurityGroup` becomes "security group".
 *
 * @example kindWords(SecurityGroup) // security group
 */
export function kindWords({ kind }: Pick<Kind, 'kind'>): string {
  return kind.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z])/g, ' ').toLowerCase();
}
