import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { linter, lintGutter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';

import { platform } from '../../platform.ts';
import { flawsIn } from './user-data.ts';

const token = (name: string) => `var(--c-${name})`;

const colours = HighlightStyle.define([
  { tag: tags.comment, color: token('muted') },
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: token('accent-text') },
  { tag: [tags.string, tags.attributeValue], color: token('good') },
  { tag: [tags.number, tags.bool, tags.null], color: token('warn') },
  { tag: tags.meta, color: token('busy') },
]);

const look = EditorView.theme({
  '&': { backgroundColor: token('surface'), color: token('text'), fontSize: '0.75rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { fontFamily: 'var(--font-mono)', caretColor: token('text'), minHeight: '9rem' },
  '.cm-scroller': { maxHeight: '24rem', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: token('sunken'), color: token('muted'), border: 'none' },
  '.cm-tooltip': {
    backgroundColor: token('raised'),
    color: token('text'),
    border: `1px solid ${token('line-strong')}`,
  },
});

/** An editor for user data. Tab leaves it, so that the keyboard is not caught. */
export function UserDataEditor({
  label,
  describedBy,
  value,
  onChange,
}: {
  readonly label: string;
  readonly describedBy: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const changed = useRef(onChange);
  useEffect(() => {
    changed.current = onChange;
  }, [onChange]);
  useEffect(() => {
    if (!place.current) return;
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          EditorView.cspNonce.of(platform.nonce()),
          lineNumbers(),
          history(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          yaml(),
          syntaxHighlighting(colours),
          lintGutter(),
          linter((editor) => [...flawsIn(editor.state.doc.toString())]),
          look,
          EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': describedBy }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) changed.current(state.doc.toString());
          }),
        ],
      }),
    });
    return () => {
      view.destroy();
    };
    // The editor keeps its own text; a new one would lose the place of the cursor.
  }, [label, describedBy]);
  return (
    <div
      ref={place}
      className="overflow-hidden rounded-md border border-field-line focus-within:border-accent focus-within:outline-2 focus-within:outline-accent"
    />
  );
}
