import type { Instance, Tag, Unikorn } from '@unikorn/sdk';

import { writeBack, writeCurrent } from '../parts/opened.ts';
import type { Restoration } from '../shell/undo.ts';
import { updateOf, type Change } from './update-body.ts';
import { isSameTags } from '../parts/tag-edit.ts';

/** A value of an instance that changes at once and disturbs nothing, so that its old value can be written back. */
export interface Reversible<Value> {
  readonly of: (instance: Instance) => Value;
  readonly change: (value: Value) => Change;
  readonly isSame: (one: Value, other: Value) => boolean;
}

export const protection: Reversible<boolean> = {
  of: ({ spec }) => spec.deletionProtection === true,
  change: (deletionProtection) => ({ spec: { deletionProtection } }),
  isSame: (one, other) => one === other,
};

export const tagging: Reversible<readonly Tag[]> = {
  of: ({ metadata }) => metadata.tags ?? [],
  change: (tags) => ({ metadata: { tags: [...tags] } }),
  isSame: isSameTags,
};

/** How an instance is read and written. */
export function accessTo({ compute }: Pick<Unikorn, 'compute'>, { metadata }: Pick<Instance, 'metadata'>) {
  const params = { path: { instanceID: metadata.id } };
  return {
    read: () => compute.GET('/api/v2/instances/{instanceID}', { params }),
    write: (current: Instance, change: Change, headers: Readonly<Record<string, string>>) =>
      compute.PUT('/api/v2/instances/{instanceID}', { params, headers, body: updateOf(current, change) }),
  };
}

/** Changes a value of the instance as it is now. Returns how it is taken back, if it was different. */
export async function changeReversibly<Value>(
  api: Pick<Unikorn, 'compute'>,
  instance: Instance,
  value: Reversible<Value>,
  next: (before: Value) => Value,
): Promise<Restoration | undefined> {
  const { read, write } = accessTo(api, instance);
  let restoration: Restoration | undefined;
  await writeCurrent(read, async (current = instance, headers) => {
    const before = value.of(current);
    const after = next(before);
    if (value.isSame(before, after)) return;
    await write(current, value.change(after), headers);
    restoration = restorationOf(api, instance, value, { before, after });
  });
  return restoration;
}

/** Writes the value before the change back, unless another user has changed it since. Other fields stay as they are. */
export function restorationOf<Value>(
  api: Pick<Unikorn, 'compute'>,
  instance: Instance,
  value: Reversible<Value>,
  { before, after }: { readonly before: Value; readonly after: Value },
): Restoration {
  const { read, write } = accessTo(api, instance);
  return {
    name: instance.metadata.name,
    restore: () =>
      writeBack(
        (current) => value.isSame(value.of(current), after),
        read,
        (current, headers) => write(current, value.change(before), headers),
      ),
  };
}
