import { lazy, Suspense, useEffect, useState } from 'react';

import { isTyping } from '../parts/table.tsx';
import { preferences } from '../session/preferences.ts';

const PaletteDialog = lazy(async () => ({ default: (await import('./palette-dialog.tsx')).PaletteDialog }));
const Shortcuts = lazy(async () => ({ default: (await import('./shortcuts.tsx')).Shortcuts }));

/** Opens with Ctrl-K and Cmd-K; `/` goes to the filter of the page, and `?` shows the shortcuts. */
export function usePalette() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setOpen(true);
      }
    };
    document.addEventListener('keydown', press);
    return () => {
      document.removeEventListener('keydown', press);
    };
  }, []);
  return {
    open,
    show: () => {
      setOpen(true);
    },
    hide: () => {
      setOpen(false);
    },
  };
}

export function Palette({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [sheet, setSheet] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      if (!preferences().singleKeys || ctrlKey || metaKey || altKey) return;
      if (target instanceof Element && (isTyping(target) || target.closest('[role=dialog]'))) return;
      if (key === '/') document.querySelector<HTMLElement>('[data-filter]')?.focus();
      else if (key === '?') setSheet(true);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => {
      document.removeEventListener('keydown', press);
    };
  }, []);
  return (
    <Suspense>
      {open && <PaletteDialog onClose={onClose} />}
      {sheet && (
        <Shortcuts
          onClose={() => {
            setSheet(false);
          }}
        />
      )}
    </Suspense>
  );
}
