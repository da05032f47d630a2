import { defined } from '../defined.ts';
import { Problem } from '../errors/index.ts';
import type { Kind } from '../kinds/index.ts';
import { internalLimits } from '../limits.ts';
import { parseReference } from '../resource/index.ts';
import { matching, type ReadOptions, type Selector, type Store } from '../store/index.ts';
import { ReferenceRecord, referenceLabels } from './kind.ts';
import { listed, shownUsers } from './words.ts';

/**
 * The users of an object, up to a maximum number. Unless `cached` is set, it reads the store and not a copy, so it
 * finds every reference that was stored before.
 *
 * @example const [first] = await referencesTo(store, Network, networkId, 1);
 */
export function referencesTo(
  store: Store,
  kind: Kind,
  usedId: string,
  most: number,
  options: ReadOptions = {},
): Promise<readonly ReferenceRecord[]> {
  const selector = matching({ [referenceLabels.used]: usedId });
  return found(store, selector, most, ({ spec }) => spec.used.kind === kind.id, options);
}

/** Everything that a user holds, up to a maximum number. */
export function referencesOfUser(store: Store, reference: string, most: number): Promise<readonly ReferenceRecord[]> {
  return found(
    store,
    matching({ [referenceLabels.user]: parseReference(reference).id }),
    most,
    ({ spec }) => spec.reference === reference,
  );
}

/**
 * Refuses to delete an object while objects in it are protected, and names them.
 *
 * @example await refuseWhileProtected(store, Network, id, described(Network, network.metadata));
 */
export async function refuseWhileProtected(store: Store, kind: Kind, usedId: string, what: string): Promise<void> {
  const selector: Selector = [
    ...matching({ [referenceLabels.used]: usedId }),
    { key: referenceLabels.protectsIn, operator: 'exists' },
  ];
  refuse(what, await found(store, selector, shownUsers + 1, ({ spec }) => spec.used.kind === kind.id));
}

/** The same for a whole organization: `kind` is the kind whose references protect objects in it. */
export async function refuseWhileProtectedIn(
  store: Store,
  kind: Kind,
  organizationId: string,
  what: string,
): Promise<void> {
  refuse(
    what,
    await found(
      store,
      matching({ [referenceLabels.protectsIn]: organizationId }),
      shownUsers + 1,
      ({ spec }) => spec.used.kind === kind.id,
    ),
  );
}

function refuse(what: string, protecting: readonly ReferenceRecord[]): void {
  if (protecting.length === 0) return;
  const verb = protecting.length === 1 ? 'is' : 'are';
  throw new Problem(
    'conflict',
    `${what} cannot be deleted, because ${listed(protecting.map(userWords))} ${verb} protected against deletion: remove the protection first, or set ignoreProtection=true`,
  );
}

/** The name and the id, because names are not unique. */
export function userWords({ spec: { reference, name } }: ReferenceRecord): string {
  return name === undefined ? reference : `${name} (${parseReference(reference).id})`;
}

async function found(
  store: Store,
  selector: Selector,
  most: number,
  fits: (record: ReferenceRecord) => boolean,
  options: ReadOptions = {},
): Promise<readonly ReferenceRecord[]> {
  const all: ReferenceRecord[] = [];
  let next: string | undefined;
  do {
    const page = await store.list(ReferenceRecord, {
      selector,
      limit: internalLimits.referencesPage,
      ...options,
      ...defined({ continue: next }),
    });
    all.push(...page.items.filter(fits));
    next = page.continue;
  } while (next !== undefined && all.length < most);
  return all.slice(0, most);
}
