import { Failure } from './failure.ts';
import { nextLine } from './input.ts';
import type { Terminal } from './terminal.ts';
import type { YesOption } from './yes-option.ts';

type Asking = Pick<Terminal, 'stdin' | 'stderr' | 'loud' | 'asks' | 'signal'>;

/** Whether the command can ask the user. */
export function isInteractive({ stdin, stderr, asks = true }: Pick<Terminal, 'stdin' | 'stderr' | 'asks'>): boolean {
  return asks && stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks a question. Only yes means yes; every other answer means no. */
export async function agrees(terminal: Asking, question: string): Promise<boolean> {
  (terminal.loud ?? terminal.stderr).write(`${question} [y/N] `);
  return /^y(es)?$/i.test((await nextLine(terminal)).trim());
}

const forms = {
  delete: { question: 'Delete', statement: 'deletes', refusal: 'nothing was deleted' },
  remove: { question: 'Remove', statement: 'removes', refusal: 'nothing was removed' },
  replace: { question: 'Replace', statement: 'replaces', refusal: 'nothing was replaced' },
  revoke: { question: 'Revoke', statement: 'revokes', refusal: 'nothing was revoked' },
} as const;

/** What a command is about to destroy, or to make invalid. */
export interface Destruction {
  readonly verb: keyof typeof forms;
  /** Such as `network frontend`. */
  readonly what: string;
  /** What is lost with it, such as `everything in it`. */
  readonly losses?: readonly string[];
  /** How else the user can go on without a terminal. */
  readonly hint?: string;
}

/** Every destruction is confirmed: by an answer, or by --yes. The question says what is lost with it. */
export async function demandConsent(
  terminal: Asking,
  { yes = false }: YesOption,
  { verb, what, losses = [], hint }: Destruction,
): Promise<void> {
  if (yes) return;
  const { question, statement, refusal } = forms[verb];
  const all = losses.length === 0 ? what : `${what}, and with it ${losses.join(': ')}`;
  if (!isInteractive(terminal))
    throw new Failure(
      'usage',
      `this ${statement} ${all}, and there is no terminal to ask for confirmation`,
      `add --yes to confirm${hint === undefined ? '' : `; ${hint}`}`,
    );
  if (!(await agrees(terminal, `${question} ${all}?`))) throw new Failure('refused', refusal);
}
