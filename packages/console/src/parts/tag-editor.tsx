import { useState } from 'react';

import type { Tag } from '@unikorn/sdk';

import { words } from '../words/index.ts';
import { Button, IconButton } from './button.tsx';
import { TextField } from './field.tsx';
import { Icon } from './icon.tsx';

const texts = words.parts.tagEditor;

/** A tag that is being written. The key stays the same while its name changes. */
interface DraftTag extends Tag {
  readonly key: number;
}

export interface TagDraft {
  readonly rows: readonly DraftTag[];
  /** The tags that have a name. */
  readonly tags: readonly Tag[];
  readonly setRows: (rows: readonly DraftTag[]) => void;
  /** Begins again with these tags. */
  readonly load: (tags: readonly Tag[]) => void;
}

/** Tags that are being written, with at least one row. */
export function useTagDraft(tags: readonly Tag[]): TagDraft {
  const [rows, setRows] = useState(() => rowsOf(tags));
  return {
    rows,
    tags: rows
      .map(({ name, value }) => ({ name: name.trim(), value: value.trim() }))
      .filter(({ name, value }) => name !== '' || value !== ''),
    setRows,
    load: (next) => {
      setRows(rowsOf(next));
    },
  };
}

function rowsOf(tags: readonly Tag[]): readonly DraftTag[] {
  return (tags.length === 0 ? [{ name: '', value: '' }] : tags).map((tag, key) => ({ ...tag, key }));
}

/** A row for each tag: its name and its value. */
export function TagEditor({ label, draft }: { readonly label: string; readonly draft: TagDraft }) {
  const { rows, setRows } = draft;
  const change = (key: number, changes: Partial<Tag>) => {
    setRows(rows.map((row) => (row.key === key ? { ...row, ...changes } : row)));
  };
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1 font-medium">{label}</legend>
      {rows.map(({ key, name, value }, index) => (
        <div key={key} className="grid grid-cols-[1fr_auto_1fr_auto] items-center gap-2">
          <TextField
            label={texts.nameOf(index + 1)}
            hideLabel
            placeholder={texts.name}
            value={name}
            maxLength={255}
            autoComplete="off"
            mono
            onChange={(next) => {
              change(key, { name: next });
            }}
          />
          <span aria-hidden="true" className="text-muted">
            =
          </span>
          <TextField
            label={texts.valueOf(index + 1)}
            hideLabel
            placeholder={texts.value}
            value={value}
            maxLength={512}
            autoComplete="off"
            mono
            onChange={(next) => {
              change(key, { value: next });
            }}
          />
          <IconButton
            label={texts.remove(index + 1)}
            onClick={() => {
              setRows(rows.filter((row) => row.key !== key));
            }}
          >
            <Icon name="trash" />
          </IconButton>
        </div>
      ))}
      {rows.length === 0 && <p className="text-muted">{texts.none}</p>}
      <Button
        className="self-start"
        onClick={() => {
          setRows([...rows, { key: 1 + Math.max(-1, ...rows.map(({ key }) => key)), name: '', value: '' }]);
        }}
      >
        <Icon name="plus" />
        {texts.add}
      </Button>
    </fieldset>
  );
}
