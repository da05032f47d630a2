import { useState } from 'react';

import { TextField } from '../../parts/field.tsx';
import { platformWords } from '../../words/platform.ts';

const texts = platformWords.regions;

/** A value of JSON as a text. The page gets the value, or why the text is not valid. */
export function JsonField({
  label,
  hint,
  value,
  rows,
  accepts,
  wrong,
  onChange,
}: {
  readonly label: string;
  readonly hint: string;
  readonly value: unknown;
  readonly rows: number;
  readonly accepts: (value: unknown) => boolean;
  readonly wrong: string;
  readonly onChange: (value: unknown, problem: string | undefined) => void;
}) {
  const [text, setText] = useState(() => JSON.stringify(value, undefined, 2));
  const [problem, setProblem] = useState<string>();
  return (
    <TextField
      label={label}
      hint={hint}
      problem={problem}
      value={text}
      rows={rows}
      mono
      onChange={(next) => {
        setText(next);
        const read = parsed(next);
        const found = read.problem ?? (accepts(read.value) ? undefined : wrong);
        setProblem(found);
        onChange(read.value, found);
      }}
    />
  );
}

function parsed(text: string): { readonly value?: unknown; readonly problem?: string } {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch (error) {
    return { problem: texts.jsonWrong(error instanceof Error ? error.message : String(error)) };
  }
}
