import { useMutation } from '@tanstack/react-query';
import { useRef, type ReactNode } from 'react';

import type { Tag } from '@unikorn/sdk';

import { Button } from './button.tsx';
import { Confirm } from './confirm.tsx';
import { Dialog } from './dialog.tsx';
import { CheckField, TextField } from './field.tsx';
import { Notice } from './page.tsx';
import { Problem } from './problem.tsx';
import { TagField } from './tag-editor.tsx';
import { changesOf, keysOf } from './three-way.ts';
import type { Bound, Form } from './use-form.ts';
import { words } from '../words/index.ts';

/** A form in a dialog. Enter in a field saves. A refusal is shown in the dialog, which stays open. */
export function FormDialog({
  title,
  action,
  busy,
  error,
  reason,
  fields = [],
  wide = false,
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
  readonly fields?: Parameters<typeof Problem>[0]['fields'];
  readonly wide?: boolean;
  readonly onClose: () => void;
  readonly onSave: () => void;
  readonly children: ReactNode;
}) {
  const save = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      form
      busy={busy}
      wide={wide}
      onClose={onClose}
      title={title}
      problem={error ? <Problem error={error} fields={fields} /> : undefined}
      actions={
        <>
          <Button onClick={onClose}>{words.parts.cancel}</Button>
          <Button ref={save} kind="primary" busy={busy} {...(reason === undefined ? {} : { reason })} onClick={onSave}>
            {action}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          // The button says what is missing.
          if (reason !== undefined) save.current?.focus();
          save.current?.click();
        }}
      >
        {children}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

interface Known {
  readonly metadata: { readonly id: string; readonly name: string };
}

/** The form of an object in a dialog: it creates one, or changes one that may be changed by another user meanwhile. */
export function ItemForm<Item, Draft extends object>({
  form,
  name,
  create,
  createAction = words.parts.create,
  known = [],
  difference,
  reason,
  children,
  ...rest
}: {
  readonly form: Form<Item, Draft>;
  /** The name of the object that is changed. */
  readonly name: string | undefined;
  /** The title of the form that creates. */
  readonly create: string;
  readonly createAction?: string;
  readonly reason?: string | undefined;
  readonly wide?: boolean;
  readonly onClose: () => void;
  readonly onSave: () => void;
  readonly children: ReactNode;
} & MeanwhileProps) {
  return (
    <FormDialog
      {...rest}
      title={name === undefined ? create : words.parts.editTitle(name)}
      action={name === undefined ? createAction : words.parts.save}
      busy={form.busy}
      error={form.error}
      fields={keysOf(form.draft).map((key) => form.fields[key])}
      reason={reason ?? form.flaw}
    >
      <ChangeOfAnother form={form} known={known} difference={difference} />
      {children}
    </FormDialog>
  );
}

interface MeanwhileProps {
  /** Objects whose names are shown instead of their ids. */
  readonly known?: readonly (readonly Known[])[];
  /** What the other user changed, instead of the list of fields. */
  readonly difference?: ReactNode;
}

/** What another user changed while the form was open, field by field, and how to go on. */
export function ChangeOfAnother<Item, Draft extends object>({
  form: { fields, meanwhile },
  known = [],
  difference,
}: { readonly form: Pick<Form<Item, Draft>, 'fields' | 'meanwhile'> } & MeanwhileProps) {
  if (!meanwhile) return null;
  const { versions, load, merge } = meanwhile;
  const nameOf = (id: string) => known.flat().find(({ metadata }) => metadata.id === id)?.metadata.name ?? id;
  const changes = changesOf(fields, versions, nameOf);
  return (
    <ChangedMeanwhile onLoad={load} onMerge={merge}>
      {difference ?? (
        <ul className="mt-2 flex flex-col gap-1">
          {changes.length === 0 && <li>{words.parts.changedElsewhere}</li>}
          {changes.map(({ label, opened, theirs, mine }) => (
            <li key={label} className="break-words">
              <span className="font-medium">{label}</span>: {words.parts.changedFrom(opened, theirs)}
              {mine !== undefined && <span className="block">{words.parts.changedHere(mine)}</span>}
            </li>
          ))}
        </ul>
      )}
    </ChangedMeanwhile>
  );
}

/** The name of an object. */
export function NameField(field: Bound<string>) {
  return <TextField {...field} hint={words.parts.nameHint} maxLength={63} autoComplete="off" />;
}

/** The description of an object, and its tags. */
export function MetadataFields({
  description,
  tags,
}: {
  readonly description: Bound<string>;
  readonly tags: Bound<readonly Tag[]>;
}) {
  return (
    <>
      <TextField {...description} maxLength={4096} />
      <TagField {...tags} />
    </>
  );
}

/** The objects of a list, as options. */
export function optionsOf(items: readonly Known[]): readonly Option[] {
  return items.map(({ metadata }) => ({ id: metadata.id, label: metadata.name }));
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
  problem,
  options,
  value,
  onChange,
}: Pick<Bound<readonly string[]>, 'label' | 'value' | 'onChange'> & {
  readonly hint?: string;
  readonly problem?: string | undefined;
  readonly options: readonly Option[];
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
            checked={value.includes(option.id)}
            onChange={(checked) => {
              onChange(checked ? [...value, option.id] : value.filter((id) => id !== option.id));
            }}
          />
        ))}
      </div>
      {problem !== undefined && (
        <p lang="en" className="text-sm text-bad">
          {problem}
        </p>
      )}
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
  /** Puts both changes together. */
  readonly onMerge: () => void;
  /** What the other user changed. */
  readonly children?: ReactNode;
}) {
  return (
    <Notice tone="warn">
      <div role="alert">
        <p className="font-medium">{words.parts.changedMeanwhile}</p>
        <p>{words.parts.changedMeanwhileText}</p>
      </div>
      {children}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={onMerge}>{words.parts.mergeBoth}</Button>
        <Button onClick={onLoad}>{words.parts.loadTheirs}</Button>
      </div>
    </Notice>
  );
}

/** Asks for the name before something is deleted. A refusal is shown in the dialog, which stays open. */
export function DeleteDialog({
  name,
  title = words.parts.deleteTitle(name),
  action = words.parts.remove,
  remove,
  onClose,
  onDeleted,
  children,
}: {
  readonly name: string;
  readonly title?: string;
  readonly action?: string;
  readonly remove: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly onDeleted?: (() => void) | undefined;
  readonly children: ReactNode;
}) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      onClose();
      onDeleted?.();
    },
  });
  return (
    <Confirm
      open
      danger
      title={title}
      action={action}
      typed={name}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => {
        mutate();
      }}
    >
      {children}
    </Confirm>
  );
}
