import { kindWords, type Kind, type Metadata } from '../kinds/index.ts';
import { internalLimits } from '../limits.ts';
import { labels } from '../resource/index.ts';

export const { shownUsers } = internalLimits;

/** An object with its display name and id: `network frontend (4f…)`. */
export function described(
  kind: Kind,
  { name, labels: carried }: Pick<Metadata, 'name'> & Partial<Pick<Metadata, 'labels'>>,
): string {
  const displayName = carried?.[labels.name];
  return displayName === undefined ? `${kindWords(kind)} ${name}` : `${kindWords(kind)} ${displayName} (${name})`;
}

/**
 * `a, b and c`; a long list ends with `others`.
 *
 * @example listed(['a', 'b', 'c']) // a, b and c
 */
export function listed(items: readonly string[]): string {
  const shown = items.length > shownUsers ? [...items.slice(0, shownUsers), 'others'] : items;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.slice(-1).join('')}`;
}
