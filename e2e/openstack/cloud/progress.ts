/** Tells what happens: one line that changes to a person at a terminal, one line for each thing to a pipe. */
export interface Progress {
  doing(text: string): void;
  done(text: string): void;
}

export function progressTo(output: NodeJS.WriteStream = process.stderr): Progress {
  const begun = process.uptime();
  const line = (text: string) => `[${(process.uptime() - begun).toFixed(1).padStart(6)} s] ${text}`;
  if (!output.isTTY)
    return {
      doing: () => undefined,
      done: (text) => {
        output.write(`${line(text)}\n`);
      },
    };
  const show = (text: string, end: string) => {
    output.write(`\r\x1b[K${line(text).slice(0, output.columns - 1)}${end}`);
  };
  return {
    doing: (text) => {
      show(text, '');
    },
    done: (text) => {
      show(text, '\n');
    },
  };
}
