import type { Kind, Resource } from '../kinds/index.ts';
import { defineMigration, objectsOf, type Migration } from '../migration/index.ts';
import { modify, modifyStatus, type Store } from '../store/index.ts';
import { replacedAt, textAt, type SealedField } from './fields.ts';
import type { TextSealer } from './text-sealer.ts';

/**
 * Encrypts data that an older version stored in plain text. It works on the engine itself, not through a sealed store.
 *
 * @example sealingMigration('core-sealed-user-data', engine, sealer, [{ kind: Server, path: ['spec', 'userData'] }])
 */
export function sealingMigration(
  name: string,
  engine: Store,
  sealer: TextSealer,
  fields: readonly SealedField[],
): Migration {
  return defineMigration({
    name,
    run: async () => {
      for (const field of fields) {
        for await (const object of objectsOf(engine, field.kind)) await sealIn(engine, sealer, field, object);
      }
    },
  });
}

async function sealIn(
  engine: Store,
  sealer: TextSealer,
  { kind, path, holding }: SealedField,
  { metadata: { name } }: Resource,
): Promise<void> {
  const isClear = (object: Resource) => {
    const text = textAt(object, path);
    return text !== undefined && !sealer.isSealed(text) && (holding === undefined || text.includes(holding));
  };
  const sealed = (object: Resource) =>
    replacedAt(object, path, (text) => sealer.seal(text, [kind.id, name, ...path].join('/')));
  const isStatus = path[0] === 'status';
  let before: number | undefined;
  if (isStatus) await modifyStatus(engine, kind, name, (current) => (isClear(current) ? sealed(current) : undefined));
  else {
    await modify(engine, kind, name, (current) => {
      before = isClear(current) ? current.metadata.generation : undefined;
      return before === undefined ? undefined : sealed(current);
    });
    if (before !== undefined) await keepSettled(engine, kind, name, before);
  }
}

/**
 * The encryption is not a change of the desired state, so the observed generation is updated: objects stay up to date.
 */
export async function keepSettled(engine: Store, kind: Kind, name: string, before: number): Promise<void> {
  await modifyStatus(engine, kind, name, ({ metadata, status }) =>
    status?.observedGeneration === before
      ? { metadata, status: { ...status, observedGeneration: metadata.generation } }
      : undefined,
  );
}
