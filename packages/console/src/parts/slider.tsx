import { Field } from './field.tsx';

declare module 'react' {
  interface CSSProperties {
    /** How far a slider is. */
    readonly '--at'?: string;
  }
}

/** A number that is chosen by moving a handle: the browser's own control, which works with keys and every pointer. */
export function Slider({
  label,
  hint,
  value,
  steps,
  text,
  changed,
  onChange,
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: number;
  /** The values that the handle stops at, in their order. */
  readonly steps: readonly number[];
  readonly text: (value: number) => string;
  /** A word beside the value, if it differs from the saved one. */
  readonly changed?: string | undefined;
  readonly onChange: (value: number) => void;
}) {
  const at = Math.max(0, steps.indexOf(value));
  return (
    <Field label={label} hint={hint} aside={<Value text={text(value)} changed={changed} />}>
      {(wired) => (
        <input
          {...wired}
          type="range"
          min={0}
          max={steps.length - 1}
          step={1}
          value={at}
          aria-valuetext={text(value)}
          className="slider h-6 w-full cursor-pointer rounded"
          style={{ '--at': `${(100 * at) / Math.max(1, steps.length - 1)}%` }}
          onChange={(event) => {
            onChange(steps[Number(event.target.value)] ?? value);
          }}
        />
      )}
    </Field>
  );
}

function Value({ text, changed }: { readonly text: string; readonly changed: string | undefined }) {
  return (
    <span className="flex items-baseline gap-2 whitespace-nowrap">
      {changed !== undefined && <span className="text-sm text-accent-text">{changed}</span>}
      <span className="tabular">{text}</span>
    </span>
  );
}

/** Something that is on or off, and changes at once. While the request is under way, it shows the old state. */
export function Switch({
  label,
  text,
  on,
  busy,
  reason,
  onChange,
}: {
  readonly label: string;
  readonly text: string;
  readonly on: boolean;
  readonly busy: boolean;
  readonly reason?: string | undefined;
  readonly onChange: (on: boolean) => void;
}) {
  const blocked = busy || reason !== undefined;
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-busy={busy ? true : undefined}
      aria-disabled={blocked ? true : undefined}
      title={reason}
      className="flex w-full items-center gap-3 rounded-md text-start aria-disabled:cursor-not-allowed aria-disabled:opacity-60"
      onClick={() => {
        if (!blocked) onChange(!on);
      }}
    >
      <span
        aria-hidden="true"
        className={`relative h-6 w-10 shrink-0 rounded-full border transition-colors ${on ? 'border-good-mark bg-good-mark' : 'border-field-line bg-sunken'}`}
      >
        <span
          className={`absolute top-0.5 size-4.5 rounded-full transition-all ${on ? 'start-[1.1rem] bg-surface' : 'start-0.5 bg-field-line'}`}
        />
      </span>
      <span className="flex flex-col">
        <span className="font-medium">{label}</span>
        <span className="text-sm text-muted">{text}</span>
      </span>
    </button>
  );
}
