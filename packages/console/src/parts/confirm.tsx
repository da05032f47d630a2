import { useState, type ReactNode } from 'react';

import { words } from '../words/index.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { TextField } from './field.tsx';
import { Problem } from './problem.tsx';

export interface ConfirmProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What happens, and what is lost. */
  readonly children: ReactNode;
  readonly action: string;
  /** The text that the user must type; it can also be pasted. Without it, a click is enough. */
  readonly typed?: string;
  readonly danger?: boolean;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
}

/** Asks before something is done. A refusal of the service is shown in the dialog, which stays open. */
export function Confirm({
  open,
  onClose,
  title,
  children,
  action,
  typed,
  danger = false,
  busy,
  error,
  onConfirm,
}: ConfirmProps) {
  const [text, setText] = useState('');
  const missing = typed !== undefined && text.trim() !== typed;
  const close = () => {
    setText('');
    onClose();
  };
  return (
    <Dialog
      open={open}
      busy={busy}
      onClose={close}
      title={title}
      problem={error ? <Problem error={error} /> : undefined}
      actions={
        <>
          <Button onClick={close}>{words.parts.cancel}</Button>
          <Button
            kind={danger ? 'danger' : 'primary'}
            busy={busy}
            {...(missing ? { reason: words.parts.typeToConfirm(typed) } : {})}
            onClick={onConfirm}
          >
            {action}
          </Button>
        </>
      }
    >
      {children}
      {typed !== undefined && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!missing && !busy) onConfirm();
          }}
        >
          <TextField label={words.parts.typeToConfirm(typed)} value={text} onChange={setText} autoComplete="off" />
        </form>
      )}
    </Dialog>
  );
}
