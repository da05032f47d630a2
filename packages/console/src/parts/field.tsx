import { useId, type ReactNode } from 'react';

import { Icon } from './icon.tsx';

const box =
  'w-full rounded-md border border-field-line bg-surface px-2.5 text-base text-text hover:border-muted aria-invalid:border-bad-mark';

interface FieldProps {
  readonly label: string;
  /** What the field means, or which values it takes. */
  readonly hint?: string | undefined;
  /** The sentence of the service about this field. */
  readonly problem?: string | undefined;
  readonly hideLabel?: boolean;
}

interface Wired {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

/** A label, an input, its hint and its problem, tied together for screen readers. */
export function Field({
  label,
  hint,
  problem,
  hideLabel = false,
  aside,
  children,
}: FieldProps & { readonly aside?: ReactNode; readonly children: (wired: Wired) => ReactNode }) {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, problem === undefined ? '' : `${id}-problem`]
    .filter((each) => each !== '')
    .join(' ');
  return (
    <div className="flex flex-col gap-1">
      {aside === undefined ? (
        <label htmlFor={id} className={hideLabel ? 'sr-only' : 'font-medium'}>
          {label}
        </label>
      ) : (
        <span className="flex items-baseline justify-between gap-x-4">
          <label htmlFor={id} className="font-medium">
            {label}
          </label>
          {aside}
        </span>
      )}
      {children({
        id,
        'aria-invalid': problem === undefined ? undefined : true,
        'aria-describedby': described === '' ? undefined : described,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} lang="en" className="flex items-center gap-1 text-sm text-bad">
          <Icon name="warning" className="size-3.5" />
          {problem}
        </p>
      )}
    </div>
  );
}

export interface TextFieldProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly type?: 'text' | 'search' | 'email' | 'number' | 'password';
  readonly placeholder?: string;
  readonly autoComplete?: string;
  readonly maxLength?: number;
  readonly required?: boolean;
  readonly rows?: number;
  readonly mono?: boolean;
}

export function TextField({
  label,
  hint,
  problem,
  hideLabel = false,
  value,
  onChange,
  rows,
  mono = false,
  ...rest
}: TextFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem} hideLabel={hideLabel}>
      {(wired) =>
        rows === undefined ? (
          <input
            {...wired}
            {...rest}
            value={value}
            className={`${box} h-8 ${mono ? 'font-mono' : ''}`}
            onChange={(event) => {
              onChange(event.target.value);
            }}
          />
        ) : (
          <textarea
            {...wired}
            placeholder={rest.placeholder}
            maxLength={rest.maxLength}
            required={rest.required}
            onBlur={rest.onBlur}
            rows={rows}
            value={value}
            className={`${box} py-1.5 ${mono ? 'font-mono text-sm' : ''}`}
            onChange={(event) => {
              onChange(event.target.value);
            }}
          />
        )
      }
    </Field>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
}

export interface ChoiceFieldProps extends FieldProps {
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly onChange: (value: string) => void;
  readonly empty?: string;
  /** What is said if nothing can be chosen, and why. */
  readonly none?: string | undefined;
  readonly disabled?: boolean;
}

/** A choice of one, as the browser's own control: it works with every input method. */
export function ChoiceField({
  label,
  hint,
  problem,
  hideLabel = false,
  value,
  choices,
  onChange,
  empty,
  none,
  disabled = false,
}: ChoiceFieldProps) {
  return (
    <Field
      label={label}
      hint={choices.length === 0 && none !== undefined ? none : hint}
      problem={problem}
      hideLabel={hideLabel}
    >
      {(wired) => (
        <span className="relative">
          <select
            {...wired}
            value={value}
            disabled={disabled}
            className={`${box} h-8 appearance-none pe-8 disabled:bg-sunken`}
            onChange={(event) => {
              onChange(event.target.value);
            }}
          >
            {empty !== undefined && <option value="">{empty}</option>}
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value} disabled={choice.disabled}>
                {choice.label}
              </option>
            ))}
          </select>
          <Icon name="chevronDown" className="pointer-events-none absolute end-2 top-2 text-muted" />
        </span>
      )}
    </Field>
  );
}

/** A box to tick, with its label beside it. */
export function CheckField({
  label,
  hint,
  checked,
  onChange,
  disabled = false,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="mt-0.5 size-4 shrink-0 accent-accent"
        onChange={(event) => {
          onChange(event.target.checked);
        }}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
