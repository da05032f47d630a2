import { useEffect, useState } from 'react';

import { waits } from '../limits.ts';
import { Button, IconButton, Spinner } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { platform } from '../platform.ts';
import { words } from '../words/index.ts';
import { dismissUndo, runUndo, type Kept, type Undo } from './undo.ts';

const texts = words.shell.undo;

/**
 * Says what was changed, and offers to undo it. The time does not pass while the pointer or the focus is here. What
 * could not be undone stays until the user closes it.
 */
export function UndoBar({ undo }: { readonly undo: Undo }) {
  const [held, setHeld] = useState(false);
  const { state, done, kept } = undo;
  return (
    <div
      className="fixed z-30 flex w-96 max-w-[calc(100vw-1rem)] items-start gap-2 rounded-lg border border-line bg-raised p-3 shadow-pop max-sm:inset-x-2 max-sm:top-14 sm:start-4 sm:bottom-4"
      onPointerEnter={() => {
        setHeld(true);
      }}
      onPointerLeave={() => {
        setHeld(false);
      }}
      onFocus={() => {
        setHeld(true);
      }}
      onBlur={() => {
        setHeld(false);
      }}
    >
      <div role={state === 'kept' ? 'alert' : 'status'} className="flex min-w-0 flex-1 items-start gap-2 py-1.5">
        <span className={`mt-0.5 ${state === 'kept' ? 'text-warn' : 'text-good'}`}>
          {state === 'running' ? <Spinner /> : <Icon name={state === 'kept' ? 'warning' : 'check'} />}
        </span>
        {state === 'kept' ? (
          <KeptList kept={kept} />
        ) : (
          <span className="min-w-0 break-words">{state === 'undone' ? texts.undone : done}</span>
        )}
      </div>
      {state === 'offered' && (
        <Button
          onClick={() => {
            void runUndo();
          }}
        >
          {words.parts.undo}
        </Button>
      )}
      {state !== 'running' && (
        <IconButton label={words.parts.close} onClick={dismissUndo}>
          <Icon name="cross" />
        </IconButton>
      )}
      {state === 'offered' && <TimeLeft key={state} held={held} total_ms={waits.undo_ms} visible />}
      {state === 'undone' && <TimeLeft key={state} held={held} total_ms={waits.toast_ms} />}
    </div>
  );
}

/** Why something was not undone, for each resource. */
function KeptList({ kept }: { readonly kept: readonly Kept[] }) {
  return (
    <div className="min-w-0">
      <p className="font-medium">{texts.notUndone}</p>
      <ul>
        {kept.map(({ name, error }) => (
          <li key={name} className="break-words">
            {error ? (
              <>
                {name}: <span lang="en">{error.message}</span>
              </>
            ) : (
              texts.changedSince(name)
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Closes the bar when its time is over. */
function TimeLeft({
  held,
  total_ms,
  visible = false,
}: {
  readonly held: boolean;
  readonly total_ms: number;
  readonly visible?: boolean;
}) {
  const [left_ms, setLeft] = useState(total_ms);
  useEffect(() => {
    if (held) return;
    return platform.every(1_000, () => {
      setLeft((before) => before - 1_000);
    });
  }, [held]);
  useEffect(() => {
    if (left_ms <= 0) dismissUndo();
  }, [left_ms]);
  if (!visible) return null;
  return (
    <span aria-hidden="true" className="absolute inset-x-3 bottom-1 h-0.5 overflow-hidden rounded bg-line">
      <span
        className="block h-full bg-accent transition-[width] duration-1000 ease-linear"
        style={{ width: `${Math.max(0, (left_ms / total_ms) * 100)}%` }}
      />
    </span>
  );
}
