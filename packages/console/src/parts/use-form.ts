import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { Tag } from '@unikorn/sdk';

import { defined } from '../defined.ts';
import { words } from '../words/index.ts';
import { useOpened, type Read, type Writable, type Write } from './opened.ts';
import { fieldProblem } from './problem.tsx';
import { useRepeatable, type Create } from './repeatable.ts';
import { mergedTags, tagFlaw, tagText } from './tag-edit.ts';
import { flawOf, merged, type FieldsOf, type Versions } from './three-way.ts';

/** What an input of a form needs. */
export interface Bound<Value> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly problem: string | undefined;
}

/** The change of another user, while the form was open. */
export interface Meanwhile<Draft> {
  readonly versions: Versions<Draft>;
  /** The form goes on from the object as the other user left it. */
  readonly load: () => void;
  /** The same, with the changes of this form. */
  readonly merge: () => void;
}

export interface Form<Item, Draft> {
  readonly fields: FieldsOf<Draft>;
  /** The object as the form began with it. Undefined if it creates one. */
  readonly opened: Item | undefined;
  readonly draft: Draft;
  readonly set: (changes: Partial<Draft>) => void;
  /** @example <TextField {...form.field('name')} maxLength={63} /> */
  readonly field: <Key extends keyof Draft>(key: Key) => Bound<Draft[Key]>;
  readonly busy: boolean;
  readonly error: Error | null;
  /** Why the draft cannot be sent, whatever else it lacks. */
  readonly flaw: string | undefined;
  readonly meanwhile: Meanwhile<Draft> | undefined;
  /** Creates the object, or changes the one that was opened. */
  readonly save: <Made>(
    requests: {
      readonly create: Create<Made>;
      readonly read: Read<Item>;
      readonly write: Write;
    },
    onDone: (made?: Made) => unknown,
  ) => void;
  /** Sends a request that creates. A repetition after a lost answer creates one object. */
  readonly create: <Made>(send: Create<Made>, onDone: (made: Made) => unknown) => void;
  /** Writes over the version that the user saw. If there is another one, nothing is written, and it is shown. */
  readonly change: (read: Read<Item>, write: Write, onDone: () => unknown) => void;
}

/** The state of a form that creates an object, or changes one. */
export function useForm<Item extends Writable, Draft extends object>(
  current: Item | undefined,
  draftOf: (item: Item | undefined) => Draft,
  fields: FieldsOf<Draft>,
): Form<Item, Draft> {
  const { opened, theirs, save, load } = useOpened(current);
  const [draft, setDraft] = useState(() => draftOf(opened));
  const repeat = useRepeatable();
  const { mutate, isPending, error } = useMutation({ mutationFn: (work: () => Promise<void>) => work() });
  const versions = theirs && { opened: draftOf(opened), theirs: draftOf(theirs), mine: draft };
  const goOnWith = (next: Draft) => {
    load();
    setDraft(next);
  };
  const create: Form<Item, Draft>['create'] = (send, onDone) => {
    mutate(async () => {
      await onDone(await repeat(draft, send));
    });
  };
  const change: Form<Item, Draft>['change'] = (read, write, onDone) => {
    mutate(async () => {
      if (await save(read, write)) await onDone();
    });
  };
  return {
    fields,
    opened,
    draft,
    set: (changes) => {
      setDraft((before) => ({ ...before, ...changes }));
    },
    field: (name) => {
      const { label, path } = fields[name];
      return {
        label,
        value: draft[name],
        onChange: (value) => {
          setDraft((before) => ({ ...before, [name]: value }));
        },
        problem: path === undefined ? undefined : fieldProblem(error, path),
      };
    },
    busy: isPending,
    error,
    flaw: flawOf(fields, draft),
    meanwhile: versions && {
      versions,
      load: () => {
        goOnWith(versions.theirs);
      },
      merge: () => {
        goOnWith(merged(fields, versions));
      },
    },
    create,
    change,
    save: (requests, onDone) => {
      if (opened) change(requests.read, requests.write, onDone);
      else create(requests.create, onDone);
    },
  };
}

/** A field as a box to tick takes it. */
export function ticked({ label, value, onChange }: Bound<boolean>) {
  return { label, checked: value, onChange };
}

/** The fields that most objects have. */
export const commonFields = {
  name: { label: words.parts.name, path: 'metadata.name' },
  description: { label: words.parts.description, path: 'metadata.description' },
  tags: { label: words.parts.tags, path: 'metadata.tags', text: tagText, merge: mergedTags, flaw: tagFlaw },
} as const satisfies FieldsOf<CommonDraft>;

/** What most objects have. */
export interface CommonDraft {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly Tag[];
}

interface Described {
  readonly metadata: { readonly name: string; readonly description?: string; readonly tags?: readonly Tag[] };
}

export function commonDraftOf(item: Described | undefined): CommonDraft {
  const { name = '', description = '', tags = [] } = item?.metadata ?? {};
  return { name, description, tags };
}

/** The metadata that a form sends. */
export function metadataOf({ name, description, tags }: CommonDraft) {
  return {
    name: name.trim(),
    ...defined({
      description: description.trim() || undefined,
      tags: tags.length === 0 ? undefined : [...tags],
    }),
  };
}

/** Why a form cannot be sent: the first required value that is missing. */
export function missingOf(required: readonly (readonly [label: string, value: string | undefined])[]) {
  const [label] = required.find(([, value]) => (value ?? '').trim() === '') ?? [];
  return label === undefined ? undefined : `${label}: ${words.parts.required}`;
}
