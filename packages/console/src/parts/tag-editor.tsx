import { useState } from 'react';

import type { Tag } from '@unikorn/sdk';

import { words } from '../words/index.ts';
import { Button, IconButton } from './button.tsx';
import { TextField } from './field.tsx';
import { Icon } from './icon.tsx';
import { isSameTags } from './tag-edit.ts';

const texts = words.parts.tagEditor;

/** A tag that is being written. The key stays the same while its name changes. */
interface Row extends Tag {
  readonly key: number;
}

function rowsOf(tags: readonly Tag[]): readonly Row[] {
  return tags.map((tag, key) => ({ ...tag, key }));
}

/** The tags of rows that are not empty. */
function tagsIn(rows: readonly Row[]): readonly Tag[] {
  return rows
    .map(({ name, value }) => ({ name: name.trim(), value: value.trim() }))
    .filter(({ name, value }) => name !== '' || value !== '');
}

/** A row for each tag: its name and its value. */
export function TagField({
  label,
  value: tags,
  problem,
  blank = false,
  onChange,
}: {
  readonly label: string;
  readonly value: readonly Tag[];
  readonly problem?: string | undefined;
  /** Begins with an empty row if there are no tags. */
  readonly blank?: boolean;
  readonly onChange: (tags: readonly Tag[]) => void;
}) {
  const [written, setWritten] = useState(() => rowsOf(blank && tags.length === 0 ? [{ name: '', value: '' }] : tags));
  // Other tags than those that were written here were loaded by the form.
  const rows = isSameTags(tagsIn(written), tags) ? written : rowsOf(tags);
  const setRows = (next: readonly Row[]) => {
    setWritten(next);
    onChange(tagsIn(next));
  };
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
      <Button
        className="self-start"
        onClick={() => {
          setRows([...rows, { key: 1 + Math.max(-1, ...rows.map(({ key }) => key)), name: '', value: '' }]);
        }}
      >
        <Icon name="plus" />
        {texts.add}
      </Button>
      {problem !== undefined && (
        <p lang="en" className="text-sm text-bad">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
