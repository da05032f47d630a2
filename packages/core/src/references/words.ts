import { kindWords, type Kind, type Metadata } from '../kinds/index.ts';
import { labels } from '../resource/index.ts';

/** As many as fit one line. Who deals with these will see the next. */
export const shownUsers = 5;

/** An object by what people call it, and by its id: `network frontend (4f…)`. */
export function described(
  kind: Kind,
  { name, labels: carried }: Pick<Metadata, 'name'> & Partial<Pick<Metadata, 'labels'>>,
): string {
  const displayName = carried?.[labels.name];
  return displayName === undefined ? `${kindWords(kind)} ${name}` : `${kindWords(kind)} ${displayName} (${name})`;
}

/** `a, b and c`; of too many, the first and `others`. */
export function listed(items: readonly string[]): string {
  const shown = items.length > shownUsers ? [...items.slice(0, shownUsers), 'others'] : items;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.slice(-1).join('')}`;
}
