import { useState } from 'react';

interface Writable {
  readonly metadata: { readonly name: string; readonly description?: string; readonly tags?: unknown };
  readonly spec: unknown;
}

/** The object of a form as it was when the form was opened, to see whether another person changed it meanwhile. */
export function useOpened<Item extends Writable | undefined>(
  current: Item,
): {
  readonly opened: Item;
  /** Whether the object differs from what the form began with. */
  readonly changed: boolean;
  readonly reload: () => void;
} {
  const [opened, setOpened] = useState(current);
  return {
    opened,
    changed: written(opened) !== written(current),
    reload: () => {
      setOpened(current);
    },
  };
}

/** States and times move on their own; a form changes only these. */
function written(item: Writable | undefined): string {
  return JSON.stringify([item?.metadata.name, item?.metadata.description, item?.metadata.tags, item?.spec]);
}
