import { NotSettledError } from '@unikorn/sdk';

import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { nameLookup } from '../output/names.ts';
import type { Printing } from '../output/print.ts';
import { handleOf } from '../resources.ts';
import { openSession, type Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import type { WaitOptions } from '../wait/options.ts';
import { waitUntilSettled } from '../wait/settle.ts';

/** The reason why an object did not reach the requested state, and remedies, one per line. */
export type Diagnosis = (session: Session, object: Named, terminal: Terminal) => Promise<readonly string[]>;

/** The input of a verb: noun, terminal and options. */
export interface Call<Options extends GlobalOptions = GlobalOptions> {
  readonly terminal: Terminal;
  readonly noun: Noun;
  readonly options: Options;
  readonly diagnosis?: Diagnosis;
}

export interface Opened {
  readonly session: Session;
  readonly printing: Printing;
}

export async function opened({ terminal, options }: Pick<Call, 'terminal' | 'options'>): Promise<Opened> {
  const session = await openSession(terminal, options);
  return {
    session,
    printing: {
      terminal,
      names: nameLookup(session),
      format: options.output,
      // Without a project, lists contain the resources of all projects.
      projects: options.allProjects === true || session.place.about.project === undefined,
    },
  };
}

/**
 * Prints the result for an object, after waiting for it unless --no-wait is given. If it fails or takes too long, and
 * an output format was requested, the last state is printed for programs.
 */
export async function printOutcome(
  call: Call<GlobalOptions & WaitOptions>,
  session: Session,
  object: Named,
  print: (outcome: Named) => Promise<void>,
): Promise<void> {
  let latest = object;
  try {
    latest = await outcomeOf(call, session, object, (seen) => {
      latest = seen;
    });
  } catch (error) {
    if (call.options.output !== undefined) await print(latest);
    throw error;
  }
  await print(latest);
}

async function outcomeOf(
  { terminal, noun, options, diagnosis }: Call<GlobalOptions & WaitOptions>,
  session: Session,
  object: Named,
  onChange: (seen: Named) => void,
): Promise<Named> {
  if (!options.wait) return object;
  try {
    return await waitUntilSettled(noun, object, { session, terminal, timeout_ms: options.timeout, onChange });
  } catch (error) {
    if (!(error instanceof NotSettledError) || error.outcome !== 'failed') throw error;
    const hints = diagnosis
      ? await diagnosis(session, object, terminal)
      : [`see it: unikorn ${noun.name} get ${handleOf(noun, object)}`];
    throw new Failure('refused', error.message, ...hints);
  }
}
