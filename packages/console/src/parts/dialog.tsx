import { Dialog as Base } from '@base-ui/react/dialog';
import { useRef, type ReactNode } from 'react';

import { words } from '../words/index.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  /** The buttons at the bottom; the main one comes last. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  /** A dialog that cannot be left out, such as that of an expired session. */
  readonly forced?: boolean;
}

/** A window over the page. On narrow screens it fills the screen. */
export function Dialog({ open, onClose, title, children, actions, wide = false, forced = false }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={forced}
      onOpenChange={(isOpen) => {
        if (!isOpen && !forced) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-overlay" />
        <Base.Popup
          ref={popup}
          // The first field, or the dialog itself. The button that closes it would show its tooltip, and the first
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
          <div ref={content} className="flex flex-col gap-3 overflow-y-auto p-4">
            {children}
          </div>
          {actions !== undefined && (
            <div className="mt-auto flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">{actions}</div>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
