import { useState } from 'react';

import { ApiError } from '@unikorn/sdk';

import { limits } from '../limits.ts';

export interface Writable {
  readonly metadata: { readonly name?: string; readonly description?: string; readonly tags?: unknown };
  readonly spec: unknown;
}

/** An object as the service has it now. The response to a request for the object alone has the tag of its version. */
interface Answer<Item> {
  readonly data?: Item | undefined;
  readonly response?: Response;
}

export type Read<Item> = () => Promise<Answer<Item>>;

export interface Editing<Item> {
  /** The object as the form began with it. */
  readonly opened: Item | undefined;
  /** The object as another user left it, if it was changed while the form was open. */
  readonly theirs: Item | undefined;
  /**
   * Writes the object, unless another user changed it since the form was opened, or since the change of that user was
   * shown. Returns whether it was written.
   */
  readonly save: (read: Read<Item>, write: Write) => Promise<boolean>;
  /** The form goes on from the object as the other user left it. */
  readonly load: () => void;
}

/** Gets the headers with which the service refuses to replace another version. */
export type Write = (headers: Readonly<Record<string, string>>) => Promise<unknown>;

/** The object of a form as it was when the form was opened, to see whether another user changed it meanwhile. */
export function useOpened<Item extends Writable>(current: Item | undefined): Editing<Item> {
  const [opened, setOpened] = useState(current);
  const [theirs, setTheirs] = useState<Item>();
  return {
    opened,
    theirs,
    save: async (read, write) => {
      const changed = await writeUnlessChanged(theirs ?? opened, read, write);
      if (changed) setTheirs(changed);
      return changed === undefined;
    },
    load: () => {
      setOpened(theirs ?? opened);
      setTheirs(undefined);
    },
  };
}

/**
 * Writes an object if it is still as it was seen. Otherwise nothing is written, and the object as it is now is
 * returned.
 */
export async function writeUnlessChanged<Item extends Writable>(
  seen: Item | undefined,
  read: Read<Item>,
  write: Write,
): Promise<Item | undefined> {
  let changed: Item | undefined;
  await writeCurrent(read, async (current, headers) => {
    if (current && written(current) !== written(seen)) changed = current;
    else await write(headers);
  });
  return changed;
}

/**
 * Writes an object in the version that was just read. The version also changes with the status of the object, so a
 * refusal for the version alone is tried again.
 */
export async function writeCurrent<Item>(
  read: Read<Item>,
  write: (current: Item | undefined, headers: Readonly<Record<string, string>>) => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { data, response } = await read();
    const tag = response?.headers.get('etag') ?? undefined;
    try {
      await write(data, tag === undefined ? {} : { 'If-Match': tag });
      return;
    } catch (error) {
      const isStale = error instanceof ApiError && error.status === 412;
      if (!isStale || attempt === limits.saves) throw error;
    }
  }
}

/**
 * Writes an old value back, unless the object no longer has the value that is undone. Returns whether it was written.
 */
export async function writeBack<Item>(
  isOurs: (current: Item) => boolean,
  read: Read<Item>,
  write: (current: Item, headers: Readonly<Record<string, string>>) => Promise<unknown>,
): Promise<boolean> {
  let ours = false;
  await writeCurrent(read, async (current, headers) => {
    ours = current !== undefined && isOurs(current);
    if (current !== undefined && ours) await write(current, headers);
  });
  return ours;
}

/** States and times move on their own; a form changes only these. */
function written(item: Writable | undefined): string {
  return JSON.stringify([item?.metadata.name, item?.metadata.description, item?.metadata.tags, item?.spec]);
}
