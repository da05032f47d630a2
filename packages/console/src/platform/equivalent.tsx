import { lazy, Suspense, useState, type ReactNode } from 'react';

import { words } from '../words/index.ts';
import { Code } from '../parts/copy.tsx';
import { platformWords } from '../words/platform.ts';

const Yaml = lazy(async () => ({ default: (await import('./yaml.tsx')).Yaml }));

export interface Manifest {
  /** The noun of the command line. */
  readonly kind: string;
  readonly metadata: object;
  readonly spec: object;
}

export interface ApiCall {
  readonly method: 'POST' | 'PUT' | 'DELETE' | 'GET';
  /** With the service, such as `/region/api/v2/regions`. */
  readonly path: string;
  readonly body?: unknown;
}

/** What a form does, as a command, as a file for `unikorn apply`, and as a request to the API. */
export function Equivalent({
  command,
  manifest,
  request,
}: {
  readonly command?: string | undefined;
  readonly manifest?: Manifest | undefined;
  readonly request?: ApiCall | undefined;
}) {
  return (
    <div className="flex flex-col gap-2">
      {command !== undefined && (
        <Folded title={platformWords.command}>
          <Code label={platformWords.command} text={command} />
        </Folded>
      )}
      {manifest && (
        <Folded title={platformWords.manifest}>
          <Suspense fallback={<p className="text-muted">{words.parts.loading}</p>}>
            <Yaml label={platformWords.manifest} value={manifest} />
          </Suspense>
        </Folded>
      )}
      {request && (
        <Folded title={platformWords.apiCall}>
          <Code label={platformWords.apiCall} text={requestText(request)} />
        </Folded>
      )}
    </div>
  );
}

/** Its content is drawn when it is opened, so that nothing is loaded for a text that nobody reads. */
function Folded({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary className="w-fit cursor-pointer rounded text-muted hover:text-text">{title}</summary>
      {open && <div className="mt-2">{children}</div>}
    </details>
  );
}

export function requestText({ method, path, body }: ApiCall): string {
  return body === undefined ? `${method} ${path}` : `${method} ${path}\n${JSON.stringify(body, undefined, 2)}`;
}

/** A word of a command line, quoted where a shell needs it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
