import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';

import { waits } from '../limits.ts';
import { isTyping } from '../parts/is-typing.ts';
import { platform } from '../platform.ts';
import { preferences } from '../session/preferences.ts';
import { usePlace } from './place.ts';

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

/** The pages to which `g` and another key lead, below the page of the project. */
const places: Readonly<Partial<Record<string, string>>> = {
  i: 'instances',
  n: 'networks',
  s: 'security-groups',
  l: 'load-balancers',
  f: 'file-storage',
  m: 'images',
  a: 'activity',
};

export function Palette({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [sheet, setSheet] = useState(false);
  const { organization, project } = usePlace();
  const navigate = useNavigate();
  useEffect(() => {
    let going_ms = 0;
    const press = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      if (!preferences().singleKeys || ctrlKey || metaKey || altKey) return;
      if (target instanceof Element && (isTyping(target) || target.closest('[role=dialog]'))) return;
      const isGoing = platform.now() - going_ms < waits.keys_ms;
      going_ms = key === 'g' ? platform.now() : 0;
      const place = isGoing ? places[key] : undefined;
      if (place !== undefined && organization !== undefined && project !== undefined)
        void navigate({ to: `/o/${organization}/p/${project}/${place}` });
      else if (key === '/') document.querySelector<HTMLElement>('[data-filter]')?.focus();
      else if (key === '?') setSheet(true);
      // Inside of a table, the table does it.
      else if ((key === 'j' || key === 'k') && target instanceof Element && !target.closest('[data-row]'))
        document.querySelector<HTMLElement>('[data-row]')?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => {
      document.removeEventListener('keydown', press);
    };
  }, [organization, project, navigate]);
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
