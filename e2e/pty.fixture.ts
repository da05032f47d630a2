import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

export interface Typed {
  readonly code: number;
  /** Without colours and movements of the cursor. */
  readonly output: string;
}

export interface TypeOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly columns?: number;
  /** What is typed when the output matches, in this order. */
  readonly answers?: readonly (readonly [RegExp, string])[];
}

/** Types a command in a real terminal, made by `script` of util-linux. */
export function typedInTerminal(
  command: string,
  { env, cwd, columns = 80, answers = [] }: TypeOptions,
): Promise<Typed> {
  const child = spawn('script', ['-qefc', `stty cols ${columns} rows 24; ${command}`, '/dev/null'], {
    ...(cwd === undefined ? {} : { cwd }),
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const due = [...answers];
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk.toString();
    const [next] = due;
    if (next?.[0].test(stripVTControlCharacters(output))) {
      due.shift();
      child.stdin.write(next[1]);
    }
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code: code ?? -1, output: stripVTControlCharacters(output).replaceAll('\r\n', '\n') });
    });
  });
}

/** The same command in a pipe: its output is no terminal, and there is no input. */
export function typedInPipe(
  command: string,
  { env, cwd }: Pick<TypeOptions, 'env' | 'cwd'>,
): Promise<Typed & { readonly stdout: string; readonly stderr: string }> {
  const child = spawn('bash', ['-c', command], {
    ...(cwd === undefined ? {} : { cwd }),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => (said[name] += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code: code ?? -1, output: said.stdout + said.stderr, ...said });
    });
  });
}
