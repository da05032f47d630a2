import { useState } from 'react';
import { stringify } from 'yaml';

import { Code } from '../parts/copy.tsx';
import { actionOf, commandOf, deletionOf, fileOf, type FileForm, type Writes } from '../parts/equivalent.ts';
import { words } from '../words/index.ts';
import { usePlaceNames, type SameProps, type Sent } from './same.tsx';

const texts = words.parts.same;

/** Command, file and request, one at a time. */
export function SameView(props: SameProps) {
  const known = props.noun === undefined ? [] : (props.known ?? []);
  const place = usePlaceNames({ ...props, known });
  const [chosen, setChosen] = useState<'command' | 'file' | 'request'>('command');
  const { command, file } = formsOf(props, place);
  const forms = [
    ...(command === undefined ? [] : [{ key: 'command' as const, title: texts.command, text: command }]),
    ...(file === undefined
      ? []
      : [{ key: 'file' as const, title: texts.file, text: `# ${file.command}\n${stringify(file.document)}` }]),
    { key: 'request' as const, title: texts.request, text: requestText(props.sent) },
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

interface Forms {
  readonly command?: string | undefined;
  readonly file?: FileForm | undefined;
}

function formsOf(props: SameProps, place: Writes['place']): Forms {
  if (props.noun === undefined) return { command: props.command, file: props.file };
  if (props.verb !== undefined) {
    const action = { ...props, place };
    return { command: actionOf(action), ...(props.verb === 'delete' ? { file: deletionOf(action) } : {}) };
  }
  const writes: Writes = { ...props, known: props.known ?? [], place };
  return { command: commandOf(writes) ?? texts.nothing, file: fileOf(writes) };
}

function requestText({ method, path, body }: Sent): string {
  const line = `${method} ${location.origin}${path}`;
  return body === undefined ? line : `${line}\nContent-Type: application/json\n\n${JSON.stringify(body, undefined, 2)}`;
}
