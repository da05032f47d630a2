import type { ReactNode } from 'react';

import { Button } from './button.tsx';
import { Confirm } from './confirm.tsx';
import { Dialog } from './dialog.tsx';
import { CheckField } from './field.tsx';
import { Notice } from './page.tsx';
import { Problem } from './problem.tsx';
import { words } from '../words/index.ts';

/** A form in a dialog. Enter in a field saves. A refusal is shown in the dialog, which stays open. */
export function FormDialog({
  title,
  action,
  busy,
  error,
  reason,
  onClose,
  onSave,
  children,
}: {
  readonly title: string;
  readonly action: string;
  readonly busy: boolean;
  readonly error: Error | null;
  /** Why the form cannot be sent yet. */
  readonly reason?: string | undefined;
  readonly onClose: () => void;
  readonly onSave: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{words.parts.cancel}</Button>
          <Button kind="primary" busy={busy} {...(reason === undefined ? {} : { reason })} onClick={onSave}>
            {action}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason === undefined && !busy) onSave();
        }}
      >
        {children}
        <button type="submit" hidden />
      </form>
      {error && <Problem error={error} />}
    </Dialog>
  );
}

export interface Option {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly disabled?: boolean;
}

/** Boxes to tick, one for each option. */
export function Choices({
  label,
  hint,
  options,
  chosen,
  onChange,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="pb-1 font-medium">{label}</legend>
      {hint !== undefined && <p className="text-sm text-muted">{hint}</p>}
      <div className="flex max-h-48 flex-col gap-1.5 overflow-y-auto">
        {options.length === 0 && <p className="text-muted">{words.parts.nothingToChoose}</p>}
        {options.map((option) => (
          <CheckField
            key={option.id}
            label={option.label}
            {...(option.hint === undefined ? {} : { hint: option.hint })}
            disabled={option.disabled ?? false}
            checked={chosen.includes(option.id)}
            onChange={(checked) => {
              onChange(checked ? [...chosen, option.id] : chosen.filter((id) => id !== option.id));
            }}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Said over a form whose object was changed by another user since it was opened. */
export function ChangedMeanwhile({
  onLoad,
  onMerge,
  children,
}: {
  readonly onLoad: () => void;
  /** Puts both changes together, where that is possible. */
  readonly onMerge?: () => void;
  /** What the other user changed. */
  readonly children?: ReactNode;
}) {
  return (
    <Notice tone="warn">
      <div role="alert">
        <p className="font-medium">{words.parts.changedMeanwhile}</p>
        <p>{onMerge ? words.parts.changedMeanwhileMerge : words.parts.changedMeanwhileText}</p>
      </div>
      {children}
      <div className="mt-2 flex flex-wrap gap-2">
        {onMerge && <Button onClick={onMerge}>{words.parts.mergeBoth}</Button>}
        <Button onClick={onLoad}>{words.parts.loadTheirs}</Button>
      </div>
    </Notice>
  );
}

/** Asks for the name before something is deleted. */
export function DeleteDialog({
  name,
  busy,
  error,
  onClose,
  onConfirm,
  children,
}: {
  readonly name: string;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Confirm
      open
      danger
      title={words.parts.deleteTitle(name)}
      action={words.parts.remove}
      typed={name}
      busy={busy}
      error={error}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      {children}
    </Confirm>
  );
}
