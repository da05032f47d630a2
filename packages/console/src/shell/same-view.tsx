import { useState } from 'react';
import { stringify } from 'yaml';

import { Code } from '../parts/copy.tsx';
import { applyOf, commandOf, documentOf, type Writes } from '../parts/equivalent.ts';
import { words } from '../words/index.ts';
import type { Sent } from './same.tsx';

const texts = words.parts.same;

/** Command, file and request, one at a time. */
export function SameView({ writes, sent }: { readonly writes: Writes | undefined; readonly sent: Sent }) {
  const [chosen, setChosen] = useState<'command' | 'file' | 'request'>('command');
  const forms = [
    ...(writes
      ? [
          { key: 'command' as const, title: texts.command, text: commandOf(writes) ?? texts.nothing },
          { key: 'file' as const, title: texts.file, text: `# ${applyOf(writes)}\n${stringify(documentOf(writes))}` },
        ]
      : []),
    { key: 'request' as const, title: texts.request, text: requestText(sent) },
  ];
  const shown = forms.find(({ key }) => key === chosen) ?? forms[0];
  return (
    <div className="flex flex-col gap-2 px-3 pb-3">
      <div role="group" aria-label={texts.title} className="flex flex-wrap gap-1">
        {forms.map(({ key, title }) => (
          <button
            key={key}
            type="button"
            aria-pressed={shown?.key === key}
            className="h-7 rounded-md px-2 text-muted hover:bg-hover aria-pressed:bg-selected aria-pressed:font-medium aria-pressed:text-accent-text"
            onClick={() => {
              setChosen(key);
            }}
          >
            {title}
          </button>
        ))}
      </div>
      {shown && <Code label={shown.title} text={shown.text} />}
    </div>
  );
}

function requestText({ method, path, body }: Sent): string {
  const line = `${method} ${location.origin}${path}`;
  return body === undefined ? line : `${line}\nContent-Type: application/json\n\n${JSON.stringify(body, undefined, 2)}`;
}
