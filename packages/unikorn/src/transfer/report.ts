import type { Progress, Survey } from '@unikorn/core/transfer';

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface Report {
  readonly line: (text: string) => void;
  readonly progress: (progress: Progress) => void;
}

const words = { read: 'read', write: 'copied', compare: 'compared' } as const;

/** A pipe gets a line after this many objects. */
const each = 10_000;

/** A person sees one line that changes. A pipe gets plain lines. */
export function reportTo(output: Output): Report {
  let open = false;
  const line = (text: string) => {
    if (open) output.write('\r\u001B[K');
    open = false;
    output.write(`${text}\n`);
  };
  return {
    line,
    progress: ({ step, done, total }) => {
      const text = `${words[step]} ${done}${total === undefined ? '' : ` of ${total}`} objects`;
      if (done === total || (!output.isTTY && done % each === 0)) line(text);
      else if (output.isTTY && done % 100 === 0) {
        open = true;
        output.write(`\r\u001B[K${text}`);
      }
    },
  };
}

/** How many objects there are of each kind, and their digest. */
export function surveyLines({ counts, total, digest }: Survey): readonly string[] {
  return [...[...counts].map(([kind, count]) => `${kind}: ${count}`), `${total} objects, digest ${digest}`];
}
