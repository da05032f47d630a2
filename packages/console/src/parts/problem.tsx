import { ApiError, ConnectionError } from '@unikorn/sdk';

import { words } from '../words/index.ts';
import { Button } from './button.tsx';
import { Identifier, useCopy } from './copy.tsx';
import { Icon } from './icon.tsx';
import { Sentence } from './sentence.tsx';

/** An error of a request: the sentence of the service first, and below it everything that an operator needs. */
export function Problem({
  error,
  fields = [],
  retry,
}: {
  readonly error: Error;
  /** The fields of the form that was refused: the sentence names a field as the form does. */
  readonly fields?: readonly NamedField[];
  readonly retry?: () => void;
}) {
  const [copied, copy] = useCopy();
  const facts = factsOf(error);
  return (
    <div role="alert" className="rounded-md border border-bad-mark/40 bg-bad-soft p-3">
      <div className="flex items-start gap-2">
        <Icon name="warning" className="mt-0.5 text-bad" />
        <div className="min-w-0 flex-1">
          <p lang="en" className="font-medium break-words">
            <Sentence text={headlineOf(error, fields)} />
          </p>
          {facts.length > 0 && (
            <details className="mt-1 text-sm">
              <summary className="w-fit cursor-pointer rounded text-muted hover:text-text">
                {words.parts.details}
              </summary>
              <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
                {facts.map(([name, value]) => (
                  <div key={name} className="contents">
                    <dt className="text-muted">{name}</dt>
                    <dd className="min-w-0 font-mono break-all">
                      {name === words.parts.traceId ? <Identifier id={value} what={name} /> : value}
                    </dd>
                  </div>
                ))}
              </dl>
              <Button
                className="mt-2"
                onClick={() => {
                  copy([headlineOf(error), ...facts.map(([name, value]) => `${name}: ${value}`)].join('\n'));
                }}
              >
                {copied ? words.parts.copied : words.parts.copyDetails}
              </Button>
            </details>
          )}
        </div>
        {retry && <Button onClick={retry}>{words.parts.tryAgain}</Button>}
      </div>
    </div>
  );
}

interface NamedField {
  readonly label: string;
  /** By which the service names it. */
  readonly path?: string;
}

/** The sentence of an error. If it is about a field, it begins with the label of it. */
export function headlineOf(error: Error, fields: readonly NamedField[] = []): string {
  for (const { label, path } of fields) {
    const about = path === undefined ? undefined : fieldProblem(error, path);
    if (about !== undefined) return `${label}: ${about}`;
  }
  if (error instanceof ConnectionError) return words.parts.unreachable;
  if (isForeign(error)) return words.parts.unexpectedAnswer(error.status);
  const message = error.message.replace(/^body\./, '');
  if (message.startsWith('http')) return message;
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
}

function factsOf(error: Error): readonly (readonly [string, string])[] {
  if (error instanceof ConnectionError)
    return [
      [words.parts.cause, error.message],
      [words.parts.request, error.request],
    ];
  if (error instanceof ApiError)
    return [
      ...(isForeign(error) ? [[words.parts.cause, error.message] as const] : []),
      [words.parts.errorCode, `${error.status} ${error.code}`],
      [words.parts.request, error.request],
      ...(error.traceId === undefined ? [] : [[words.parts.traceId, error.traceId] as const]),
    ];
  return [];
}

/** Whether something else than a service answered, such as a proxy, whose answer is a page for browsers. */
function isForeign(error: Error): error is ApiError {
  return error instanceof ApiError && error.code === 'unexpected_answer';
}

/** The part of an error that belongs to a field of a form, by the path with which it begins. */
export function fieldProblem(error: Error | null | undefined, path: string): string | undefined {
  if (!error) return undefined;
  const [place, ...rest] = error.message.split(': ');
  const named = place
    ?.split(/[ ,]/)
    .at(-1)
    ?.replace(/^body\./, '');
  return named === path && rest.length > 0 ? rest.join(': ') : undefined;
}
