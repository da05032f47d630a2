import { Dialog as Base } from '@base-ui/react/dialog';
import { useBlocker } from '@tanstack/react-router';
import { useRef, useState, type ReactNode } from 'react';

import { words } from '../words/index.ts';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  /** The buttons at the bottom; the main one comes last. */
  readonly actions?: ReactNode;
  /** What went wrong. It is always in view, also if the content is longer than the screen. */
  readonly problem?: ReactNode;
  readonly wide?: boolean;
  /** The user enters its content: Escape, a click beside it and the back button ask before that is lost. */
  readonly form?: boolean;
  /** Its request is under way. The dialog waits for the outcome, which could not be told otherwise. */
  readonly busy?: boolean;
  /** A dialog that cannot be left out, such as that of an expired session. */
  readonly forced?: boolean;
}

/** A window over the page. On narrow screens it fills the screen. */
export function Dialog({
  open,
  onClose,
  title,
  children,
  actions,
  problem,
  wide = false,
  form = false,
  busy = false,
  forced = false,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLElement>(null);
  const [entered, setEntered] = useState(false);
  const [asks, setAsks] = useState(false);
  const guards = form && entered;
  const keep = () => {
    setAsks(false);
    field.current?.focus();
  };
  useBlocker({
    disabled: !guards,
    // Only the buttons of the browser, which also asks before it loads another page. The dialog itself goes to another
    // address after it has saved.
    shouldBlockFn: (navigation) => {
      if (isByBrowser(navigation)) setAsks(true);
      return isByBrowser(navigation);
    },
  });
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={forced}
      onOpenChange={(isOpen) => {
        if (isOpen || forced || busy) return;
        if (asks) keep();
        else if (guards) setAsks(true);
        else onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-overlay" />
        <Base.Popup
          ref={popup}
          // The first field, or the dialog itself. No field may take the focus earlier: the dialog gives it back to
          // what had it before. The button that closes it would show its tooltip, and the first
          // Escape would close only that.
          initialFocus={() =>
            content.current?.querySelector<HTMLElement>('input, select, textarea, button') ?? popup.current
          }
          className={`fixed inset-0 z-50 m-auto flex h-fit max-h-dvh w-full flex-col overflow-hidden bg-raised text-text shadow-pop outline-none sm:max-h-[min(44rem,90dvh)] sm:rounded-lg max-sm:h-dvh ${wide ? 'sm:max-w-3xl' : 'sm:max-w-lg'}`}
        >
          <div className="flex items-center justify-between gap-4 border-b border-line py-2.5 ps-4 pe-2">
            <Base.Title className="text-lg font-semibold">{title}</Base.Title>
            {!forced && (
              <IconButton label={words.parts.close} onClick={onClose}>
                <Icon name="cross" />
              </IconButton>
            )}
          </div>
          <div
            ref={content}
            className="flex flex-col gap-3 overflow-y-auto p-4"
            onFocus={({ target }) => {
              field.current = target;
            }}
            onInput={() => {
              setEntered(true);
            }}
          >
            {children}
          </div>
          {problem !== undefined && (
            <div className="max-h-[min(10rem,30dvh)] shrink-0 overflow-y-auto px-4 pb-3">{problem}</div>
          )}
          {asks ? <Discard onDiscard={onClose} onKeep={keep} /> : actions !== undefined && <Bar>{actions}</Bar>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Whether the user goes to another page with the buttons of the browser. */
export function isByBrowser({ action }: { readonly action: string }): boolean {
  return action !== 'PUSH' && action !== 'REPLACE';
}

function Bar({ children }: { readonly children: ReactNode }) {
  return (
    <div className="mt-auto flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3">
      {children}
    </div>
  );
}

/** In place of the buttons of a form that is about to be closed. */
function Discard({ onDiscard, onKeep }: { readonly onDiscard: () => void; readonly onKeep: () => void }) {
  return (
    <Bar>
      <p role="alert" className="me-auto font-medium">
        {words.parts.discardQuestion}
      </p>
      <Button kind="danger" onClick={onDiscard}>
        {words.parts.discard}
      </Button>
      <Button kind="primary" autoFocus onClick={onKeep}>
        {words.parts.keepEditing}
      </Button>
    </Bar>
  );
}
