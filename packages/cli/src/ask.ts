import { Failure } from './failure.ts';
import { nextLine } from './input.ts';
import type { Terminal } from './terminal.ts';
import type { YesOption } from './yes-option.ts';

type Asking = Pick<Terminal, 'stdin' | 'stderr' | 'loud' | 'asks' | 'signal'>;

/** Whether the command can ask the user. */
export function isInteractive({ stdin, stderr, asks = true }: Pick<Terminal, 'stdin' | 'stderr' | 'asks'>): boolean {
  return asks && stdin.isTTY === true && stderr.isTTY === true;
}

/**
 * Asks a question. Only yes means yes; every other answer means no. The lines that a user needs for the decision are a
 * part of the question, because --quiet hides all others.
 */
export async function agrees(terminal: Asking, question: string): Promise<boolean> {
  (terminal.loud ?? terminal.stderr).write(`${question} [y/N] `);
  return /^y(es)?$/i.test((await nextLine(terminal)).trim());
}

const forms = {
  delete: { question: 'Delete', statement: 'deletes', refusal: 'nothing was deleted' },
  remove: { question: 'Remove', statement: 'removes', refusal: 'nothing was removed' },
  replace: { question: 'Replace', statement: 'replaces', refusal: 'nothing was replaced' },
  stop: { question: 'Stop', statement: 'stops', refusal: 'nothing was stopped' },
  break: { question: 'Break', statement: 'breaks', refusal: 'nothing was broken' },
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

/** Such as `deletes network frontend, and with it everything in it`. */
export function statementOf({ verb, what, losses = [] }: Destruction): string {
  return `${forms[verb].statement} ${whole(what, losses)}`;
}

function whole(what: string, losses: readonly string[]): string {
  return losses.length === 0 ? what : `${what}, and with it ${losses.join(': ')}`;
}

/**
 * Every destruction is confirmed: by an answer, or by --yes. The question says what is lost with it. There is one
 * question for all destructions of a command.
 */
export async function demandConsent(
  terminal: Asking,
  { yes = false }: YesOption,
  ...destructions: readonly Destruction[]
): Promise<void> {
  const [first, ...others] = destructions;
  if (yes || !first) return;
  const statements = destructions.map((each) => `this ${statementOf(each)}`);
  const isOne = others.length === 0;
  if (!isInteractive(terminal)) {
    const advice = ['add --yes to confirm', ...new Set(destructions.flatMap(({ hint = [] }) => hint))].join('; ');
    throw isOne
      ? new Failure('usage', `${statements[0]}, and there is no terminal to ask for confirmation`, advice)
      : new Failure('usage', 'there is no terminal to ask for confirmation', ...statements, advice);
  }
  const { question, refusal } = forms[first.verb];
  const asked = isOne
    ? `${question} ${whole(first.what, first.losses ?? [])}?`
    : [...statements, 'Proceed?'].join('\n');
  if (!(await agrees(terminal, asked))) throw new Failure('refused', isOne ? refusal : 'nothing was changed');
}
