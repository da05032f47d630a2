import type { ComponentProps } from 'react';

import { Tooltip } from './tooltip.tsx';

type Kind = 'primary' | 'plain' | 'quiet' | 'danger';

const looks: Readonly<Record<Kind, string>> = {
  primary: 'bg-accent text-on-accent border-accent hover:bg-accent-hover hover:border-accent-hover',
  plain: 'bg-surface text-text border-line-strong hover:bg-hover',
  quiet: 'bg-transparent text-text border-transparent hover:bg-hover',
  danger: 'bg-surface text-bad border-line-strong hover:bg-bad-soft hover:border-bad-mark',
};

/** The classes of a button, also for links that look like one. */
export function buttonLook(kind: Kind = 'plain'): string {
  return `inline-flex items-center justify-center gap-1.5 h-8 px-3 rounded-md border font-medium text-base whitespace-nowrap select-none transition-colors aria-disabled:opacity-50 aria-disabled:cursor-not-allowed disabled:opacity-50 disabled:cursor-not-allowed ${looks[kind]}`;
}

export interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: Kind;
  /** Why the button cannot be used. It stays focusable, so that everyone can read the reason. */
  readonly reason?: string | undefined;
  /** The request of the button is under way. */
  readonly busy?: boolean;
}

export function Button({
  kind = 'plain',
  reason,
  busy = false,
  className = '',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const blocked = reason !== undefined || busy;
  const button = (
    <button
      type="button"
      {...rest}
      aria-disabled={blocked ? true : undefined}
      aria-description={reason}
      aria-busy={busy ? true : undefined}
      className={`${buttonLook(kind)} ${className}`}
      onClick={
        blocked
          ? (event) => {
              event.preventDefault();
            }
          : onClick
      }
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
  return reason === undefined ? (
    button
  ) : (
    <Tooltip text={reason} onPress>
      {button}
    </Tooltip>
  );
}

/** A square button with only an icon. The label is its name for everyone who does not see it. */
export function IconButton({ label, className = '', ...rest }: Omit<ButtonProps, 'kind'> & { readonly label: string }) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={`inline-grid place-items-center size-8 rounded-md text-muted hover:text-text hover:bg-hover transition-colors ${className}`}
      />
    </Tooltip>
  );
}

export function Spinner() {
  return (
    <svg viewBox="0 0 16 16" className="size-3.5 animate-spin" aria-hidden="true">
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
      <path d="M14 8a6 6 0 0 0-6-6" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
