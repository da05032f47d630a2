import { useState } from 'react';

import { ChoiceField, TextField } from '../parts/field.tsx';
import { linesOf } from '../parts/lines.ts';
import { words } from '../words/index.ts';

const texts = words.instance;

/** The prefixes that an instance may send from besides its own address. They are taken when the field is left. */
export function AllowedSources({
  value,
  problem,
  onChange,
}: {
  readonly value: readonly string[];
  readonly problem: string | undefined;
  readonly onChange: (prefixes: string[]) => void;
}) {
  const [text, setText] = useState(value.join('\n'));
  return (
    <TextField
      label={texts.form.allowedSources}
      hint={texts.form.allowedSourcesHint}
      rows={2}
      mono
      value={text}
      problem={problem}
      onChange={setText}
      onBlur={() => {
        if (linesOf(text).join() !== value.join()) onChange(linesOf(text));
      }}
    />
  );
}

/** The power state of an instance after its disk was replaced. */
export function AfterRebuild({
  value = 'start',
  disabled = false,
  onChange,
}: {
  readonly value?: 'start' | 'stop' | undefined;
  readonly disabled?: boolean;
  readonly onChange: (value: 'start' | 'stop') => void;
}) {
  return (
    <ChoiceField
      label={texts.settings.afterRebuild}
      value={value}
      disabled={disabled}
      choices={[
        { value: 'start', label: texts.settings.afterRebuildStart },
        { value: 'stop', label: texts.settings.afterRebuildStop },
      ]}
      onChange={(chosen) => {
        onChange(chosen === 'stop' ? 'stop' : 'start');
      }}
    />
  );
}
