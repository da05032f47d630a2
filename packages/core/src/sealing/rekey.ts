import { isProblem } from '../errors/index.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { objectsOf } from '../migration/index.ts';
import type { Store } from '../store/index.ts';
import { keepSettled } from './migration.ts';
import type { SealedField } from './fields.ts';
import type { TextSealer } from './text-sealer.ts';

/** How the secrets of a kind are encrypted again. */
export interface Resealing {
  readonly kind: Kind;
  /**
   * The text under the current key; undefined if it is not a secret, or has the current key already. `property` is the
   * field that has it, and `place` is where the new text is stored.
   */
  readonly reseal: (text: string, property: string, place: string) => Promise<string | undefined>;
}

/**
 * Resealing of the fields of a sealed store.
 *
 * @example await rekey(engine, resealingOf(new TextSealer(key, ...earlierKeys), sealedFields));
 */
export function resealingOf(sealer: TextSealer, fields: readonly SealedField[]): readonly Resealing[] {
  const kinds = new Set(fields.map(({ kind }) => kind));
  return [...kinds].map((kind) => ({
    kind,
    reseal: (text, _property, place) =>
      Promise.resolve(
        sealer.isSealed(text) && !sealer.isCurrent(text) ? sealer.seal(sealer.open(text), place) : undefined,
      ),
  }));
}

/**
 * Encrypts every secret of a store again that an earlier key encrypts; returns how many objects have changed. It works
 * on the engine itself, and processes that know both keys can go on. It can be repeated.
 */
export async function rekey(engine: Store, resealings: readonly Resealing[]): Promise<number> {
  let changed = 0;
  for (const resealing of resealings)
    for await (const object of objectsOf(engine, resealing.kind))
      if (await rekeyObject(engine, resealing, object)) changed++;
  return changed;
}

/** Whether a secret of the object has an earlier key. */
export async function hasEarlierKey({ kind, reseal }: Resealing, object: Resource): Promise<boolean> {
  const place = `${kind.id}/${object.metadata.name}`;
  return (await rewritten([object.spec, object.status], reseal, '', place)) !== undefined;
}

async function rekeyObject(engine: Store, { kind, reseal }: Resealing, object: Resource): Promise<boolean> {
  const { name } = object.metadata;
  let changed = false;
  for (let current: Resource | undefined = object; current; current = await engine.get(kind, name)) {
    const { metadata } = current;
    const place = `${kind.id}/${name}`;
    try {
      const spec = await rewritten(current.spec, reseal, 'spec', `${place}/spec`);
      if (spec !== undefined) {
        await engine.update(kind, { metadata, spec });
        changed = true;
        await keepSettled(engine, kind, name, metadata.generation);
        continue;
      }
      const status = await rewritten(current.status, reseal, 'status', `${place}/status`);
      if (status === undefined) break;
      await engine.updateStatus(kind, { metadata, status });
      changed = true;
    } catch (error) {
      if (isProblem(error, 'not_found')) break;
      // Another process has changed it meanwhile.
      if (!isProblem(error, 'conflict')) throw error;
    }
  }
  return changed;
}

/** The value with its secrets under the current key; undefined if nothing changes. */
async function rewritten<T>(
  value: T,
  reseal: Resealing['reseal'],
  property: string,
  place: string,
): Promise<T | undefined>;
async function rewritten(
  value: unknown,
  reseal: Resealing['reseal'],
  property: string,
  place: string,
): Promise<unknown> {
  if (typeof value === 'string') return reseal(value, property, place);
  if (typeof value !== 'object' || value === null) return undefined;
  const changes: [string, unknown][] = [];
  for (const [key, part] of Object.entries(value)) {
    const next: unknown = await rewritten(part, reseal, key, `${place}/${key}`);
    if (next !== undefined) changes.push([key, next]);
  }
  if (changes.length === 0) return undefined;
  if (!Array.isArray(value)) return { ...value, ...Object.fromEntries(changes) };
  const replaced = new Map(changes);
  return Array.from(value, (item: unknown, index) => replaced.get(String(index)) ?? item);
}
