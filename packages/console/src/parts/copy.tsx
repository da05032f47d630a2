import { useState } from 'react';

import { waits } from '../limits.ts';
import { platform } from '../platform.ts';
import { words } from '../words/index.ts';
import { Icon } from './icon.tsx';

/** Copies a text, and says so. */
export function useCopy(): readonly [copied: boolean, copy: (text: string) => void] {
  const [copied, setCopied] = useState(false);
  return [
    copied,
    (text) => {
      void navigator.clipboard.writeText(text).then(() => {
        setCopied(true);
        platform.after(waits.copied_ms, () => {
          setCopied(false);
        });
      });
    },
  ];
}

/** It has no tooltip of the library of widgets, because a long list draws hundreds of it while it is scrolled. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [copied, copy] = useCopy();
  const label = copied ? words.parts.copied : words.parts.copyOf(what);
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="inline-grid size-6 place-items-center rounded-md text-muted transition-colors hover:bg-hover hover:text-text"
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
        copy(text);
      }}
    >
      <Icon name={copied ? 'check' : 'copy'} className="size-3.5" />
    </button>
  );
}

/** An identifier, shortened in the middle. A click copies it. */
export function Identifier({ id, what = 'id' }: { readonly id: string; readonly what?: string }) {
  const [copied, copy] = useCopy();
  return (
    <button
      type="button"
      aria-label={copied ? words.parts.copied : `${shortened(id)}: ${words.parts.copyOf(what)} ${id}`}
      title={id}
      className="inline-flex h-6 items-center gap-1 rounded px-1 -mx-1 font-mono text-sm text-muted hover:bg-hover hover:text-text"
      onClick={() => {
        copy(id);
      }}
    >
      {copied ? words.parts.copied : shortened(id)}
    </button>
  );
}

/** An id that still can be recognized, for places with little room. */
export function shortened(id: string): string {
  return id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}

/** A command or a text for another program, with a button that copies it. */
export function Code({
  text,
  label,
  wrap = false,
}: {
  readonly text: string;
  readonly label: string;
  /** For sentences: long lines are broken, and not scrolled. */
  readonly wrap?: boolean;
}) {
  return (
    <div className="group relative rounded-md border border-line bg-sunken">
      <pre
        tabIndex={0}
        aria-label={label}
        className={`overflow-x-auto py-2 ps-3 pe-10 font-mono text-sm ${wrap ? 'whitespace-pre-wrap' : ''}`}
      >
        {text}
      </pre>
      <span className="absolute end-0 top-0 rounded-md bg-sunken p-1">
        <CopyButton text={text} what={label} />
      </span>
    </div>
  );
}
